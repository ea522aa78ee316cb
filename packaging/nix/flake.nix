# SPDX-License-Identifier: Apache-2.0
# The same as a flake: nix run path:packaging/nix -- --version
{
  description = "Litmus tests of the memory model of real GPUs";

  outputs = { self, nixpkgs }: {
    packages = nixpkgs.lib.genAttrs [ "x86_64-linux" "aarch64-linux" ] (system: {
      default = import ./default.nix { pkgs = nixpkgs.legacyPackages.${system}; };
    });
  };
}
