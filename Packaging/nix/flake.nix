# Untried: written from Nix's rules, never built. Nixpkgs has an older Swift than this needs, and its sandbox has no network:
# swiftpm2nix would have to write the packages' sources into nix/ first.
{
  description = "Makes audio files longer or shorter, in bulk, with nothing lost";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      each = nixpkgs.lib.genAttrs systems;
    in {
      packages = each (system:
        let
          pkgs = nixpkgs.legacyPackages.${system};
          sources = pkgs.swiftpm2nix.helpers ./nix;
        in {
          default = pkgs.swift.stdenv.mkDerivation {
            pname = "scaleaudio";
            version = "0.1.0";
            src = ../..;
            nativeBuildInputs = [ pkgs.swift pkgs.swiftpm pkgs.pkg-config pkgs.installShellFiles ];
            buildInputs = with pkgs; [
              alsa-lib cairo ffmpeg flac fribidi kissfft libebur128 libmd libogg libpulseaudio libsixel libsndfile libvorbis
              rubberband soxr systemd taglib tomlplusplus zlib
            ];
            configurePhase = sources.configure;
            installPhase = ''
              install -D "$(swiftpmBinPath)/scaleaudio" -t $out/bin
              installManPage Tests/CommandTests/Snapshots/scaleaudio.1
              installShellCompletion --cmd scaleaudio --bash Tests/CommandTests/Snapshots/scaleaudio.bash \
                --zsh Tests/CommandTests/Snapshots/_scaleaudio --fish Tests/CommandTests/Snapshots/scaleaudio.fish
            '';
            meta.license = pkgs.lib.licenses.gpl3Plus;
          };
        });
    };
}
