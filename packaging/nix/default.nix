# SPDX-License-Identifier: Apache-2.0
# How Nix builds orchil: nix-build packaging/nix. Drivers are opened at run time, from the paths that NixOS gives them.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation rec {
  pname = "orchil";
  version = "0.1.0";

  src = pkgs.fetchurl {
    url = "https://orchil.example/releases/orchil-${version}.tar.gz";
    sha256 = "@SHA256@";
  };

  nativeBuildInputs = with pkgs; [ cmake ninja pkg-config python3 ];
  buildInputs = with pkgs; [ jansson sqlite libmd inih opencl-headers vulkan-headers ];

  cmakeFlags = [ "-DBUILD_TESTING=OFF" ];

  doInstallCheck = true;
  installCheckPhase = ''
    $out/bin/orchil check opencl:SB+relaxed
  '';

  meta = {
    description = "Litmus tests of the memory model of real GPUs";
    homepage = "https://orchil.example";
    license = pkgs.lib.licenses.asl20;
    platforms = [ "x86_64-linux" "aarch64-linux" ];
    mainProgram = "orchil";
  };
}
