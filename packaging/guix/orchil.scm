;;; SPDX-License-Identifier: Apache-2.0
;;; How Guix builds orchil: guix package -f packaging/guix/orchil.scm. Guix has no package of inih, so it is here too.
(use-modules (guix packages)
             (guix download)
             (guix git-download)
             (guix build-system cmake)
             (guix build-system meson)
             ((guix licenses) #:prefix license:)
             (gnu packages))

(define inih
  (package
    (name "inih")
    (version "62")
    (source
     (origin
       (method git-fetch)
       (uri (git-reference
             (url "https://github.com/benhoyt/inih")
             (commit (string-append "r" version))))
       (file-name (git-file-name name version))
       (sha256
        (base32 "0yl5057682gvk1iszjkz4hy73yv45l7wr3fwhbgyf7r7fwx0cwwf"))))
    (build-system meson-build-system)
    (arguments
     '(#:configure-flags '("-Dwith_INIReader=false")))
    (home-page "https://github.com/benhoyt/inih")
    (synopsis "Reads .ini files")
    (description "inih is a reader of .ini files in one C file.")
    (license license:bsd-3)))

(package
  (name "orchil")
  (version "0.1.0")
  (source
   (origin
     (method url-fetch)
     (uri (string-append "https://orchil.example/releases/orchil-" version ".tar.gz"))
     (sha256
      (base32 "@NIX32@"))))
  (build-system cmake-build-system)
  (arguments
   '(#:configure-flags '("-DBUILD_TESTING=OFF")
     ;; The tests need drivers and hours.
     #:tests? #f))
  (native-inputs
   (map specification->package '("pkg-config" "python")))
  (inputs
   (cons inih
         (map specification->package
              '("jansson" "sqlite" "libmd" "opencl-headers" "vulkan-headers"))))
  (home-page "https://orchil.example")
  (synopsis "Litmus tests of the memory model of real GPUs")
  (description "orchil compiles litmus tests to stressed kernels, runs these on
GPUs and CPUs, and judges each outcome by a memory model.")
  (license license:asl2.0))
