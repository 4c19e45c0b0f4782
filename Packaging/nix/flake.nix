# Builds scaleaudio with Nix: nix build ./Packaging/nix, nix run ./Packaging/nix -- -f 1.5 in.flac.
#
# Untried: only its syntax was checked. It needs a nixpkgs whose Swift is 6.3 or later, and says so otherwise.
# That SwiftPM finds all dependencies offline in the way below was tried with Swift 6.3.1 on Debian.
{
  description = "Makes audio files longer or shorter, exact to the sample";

  # The packages that Package.swift asks for, and those that they ask for, in one version each.
  inputs = {
    nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
    swift-argument-parser = { url = "github:apple/swift-argument-parser/1.8.2"; flake = false; };
    swift-atomics = { url = "github:apple/swift-atomics/1.3.0"; flake = false; };
    swift-collections = { url = "github:apple/swift-collections/1.6.0"; flake = false; };
    swift-docc-plugin = { url = "github:swiftlang/swift-docc-plugin/1.5.0"; flake = false; };
    swift-docc-symbolkit = { url = "github:swiftlang/swift-docc-symbolkit/1.0.0"; flake = false; };
    swift-nio = { url = "github:apple/swift-nio/2.101.2"; flake = false; };
    swift-system = { url = "github:apple/swift-system/1.8.1"; flake = false; };
  };

  outputs = { self, nixpkgs, ... }@inputs:
    let
      project = "https://scaleaudio.example";
      version = "0.1.0";
      systems = [ "x86_64-linux" "aarch64-linux" ];
      forSystems = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});

      # Tag, source and the addresses by which packages name it.
      dependencies = [
        { tag = "1.8.2"; name = "swift-argument-parser"; owner = "apple"; }
        { tag = "1.3.0"; name = "swift-atomics"; owner = "apple"; }
        { tag = "1.6.0"; name = "swift-collections"; owner = "apple"; }
        { tag = "1.5.0"; name = "swift-docc-plugin"; owner = "swiftlang"; }
        { tag = "1.0.0"; name = "swift-docc-symbolkit"; owner = "swiftlang"; }
        { tag = "2.101.2"; name = "swift-nio"; owner = "apple"; }
        { tag = "1.8.1"; name = "swift-system"; owner = "apple"; }
      ];

      linked = pkgs: with pkgs; [
        flac kissfft libebur128 libmd libogg libsixel libsndfile libvorbis soxr taglib tomlplusplus zlib
      ];
      # Loaded when they are needed, by the names that their headers give.
      loaded = pkgs: with pkgs; [ alsa-lib cairo ffmpeg fontconfig fribidi libpulseaudio systemd ];

      scaleaudio = pkgs:
        let
          inherit (pkgs) lib;
          swift = pkgs.swiftPackages.swift;
        in
        assert lib.assertMsg (lib.versionAtLeast swift.version "6.3")
          "scaleaudio needs Swift 6.3 or later, and this nixpkgs has ${swift.version}";
        swift.stdenv.mkDerivation {
          pname = "scaleaudio";
          inherit version;
          src = ../..;

          nativeBuildInputs = [
            pkgs.git pkgs.installShellFiles pkgs.makeWrapper pkgs.pkg-config swift pkgs.swiftPackages.swiftpm
          ];
          buildInputs = linked pkgs ++ loaded pkgs
            ++ [ pkgs.swiftPackages.Dispatch pkgs.swiftPackages.Foundation ];

          # SwiftPM reads only repositories, so each source becomes one, with its tag.
          configurePhase = ''
            runHook preConfigure
            export HOME=$TMPDIR/home
            mkdir -p "$HOME" "$TMPDIR/repositories"
            bring() {
              local repository=$TMPDIR/repositories/$1
              cp -r "$4" "$repository"
              chmod -R u+w "$repository"
              git -C "$repository" init --quiet
              git -C "$repository" add --all --force
              git -C "$repository" -c user.name=nix -c user.email=nix@localhost commit --quiet --message "$3"
              git -C "$repository" tag "$3"
              for address in "https://github.com/$2/$1" "https://github.com/$2/$1.git"; do
                swift package config set-mirror --original "$address" --mirror "file://$repository"
              done
            }
            ${lib.concatMapStrings (one: ''
              bring ${one.name} ${one.owner} ${one.tag} ${inputs.${one.name}}
            '') dependencies}
            runHook postConfigure
          '';

          buildPhase = ''
            runHook preBuild
            swift build --disable-sandbox --configuration release --product scaleaudio -debug-info-format none
            runHook postBuild
          '';

          doCheck = true;
          checkPhase = ''
            runHook preCheck
            .build/release/scaleaudio -f 1.5 Samples/music.flac -o "$TMPDIR/out.flac"
            .build/release/scaleaudio info --json "$TMPDIR/out.flac" | grep -F '"inputFrames":529200'
            runHook postCheck
          '';

          installPhase = ''
            runHook preInstall
            install -D -m 755 .build/release/scaleaudio "$out/bin/scaleaudio"
            install -D -m 644 -t "$out/share/scaleaudio" Sources/scaleaudio-cli/Commands/*/*.schema.json
            install -D -m 644 -t "$out/share/doc/scaleaudio" LICENSE README.md
            pages=Tests/CommandTests/Snapshots
            installManPage "$pages/scaleaudio.1"
            installShellCompletion --bash "$pages/scaleaudio.bash" --fish "$pages/scaleaudio.fish" \
              --zsh "$pages/_scaleaudio"
            wrapProgram "$out/bin/scaleaudio" --suffix LD_LIBRARY_PATH : "${lib.makeLibraryPath (loaded pkgs)}"
            runHook postInstall
          '';

          meta = {
            description = "Makes audio files longer or shorter, exact to the sample";
            homepage = project;
            license = lib.licenses.asl20;
            mainProgram = "scaleaudio";
            platforms = systems;
          };
        };
    in
    {
      packages = forSystems (pkgs: rec {
        scaleaudio = self.lib.scaleaudio pkgs;
        default = scaleaudio;
      });
      lib = { inherit scaleaudio; };
      devShells = forSystems (pkgs: {
        default = pkgs.mkShell {
          packages = [ pkgs.pkg-config pkgs.swiftPackages.swift pkgs.swiftPackages.swiftpm ]
            ++ linked pkgs ++ loaded pkgs;
        };
      });
    };
}
