// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// What the loaders of libraries share.
let loading: [CSetting] = [.headerSearchPath("../Loading")]

let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

/// What the trait `Serve` brings.
let served = TargetDependencyCondition.when(traits: ["Serve"])
let network: [Target.Dependency] = ["NIOCore", "NIOPosix", "NIOHTTP1"].map {
  .product(name: $0, package: "swift-nio", condition: served)
}

/// The dependencies of a target that reads and writes files through one library.
let codecs: [Target.Dependency] = [
  "AudioModel", "AudioIO", "AudioContainers", systemPackage,
]

let package = Package(
  name: "scaleaudio",
  products: [
    .library(name: "ScaleAudio", targets: ["ScaleAudio"]),
    .library(name: "TimeScaling", targets: ["TimeScaling"]),
    .library(name: "Waveforms", targets: ["Waveforms"]),
    .executable(name: "scaleaudio", targets: ["scaleaudio-cli"]),
  ],
  traits: [
    .trait(
      name: "FFmpeg",
      description: "Reads what FFmpeg's libraries decode, and writes AAC, ALAC and WavPack."),
    .trait(
      name: "RubberBand",
      description: "Stretches by Rubber Band too (--engine r3); GPL-2.0-or-later."),
    .trait(name: "Serve", description: "Serves a folder to a browser (scaleaudio serve)."),
    .default(enabledTraits: ["FFmpeg", "Serve"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CSndFile", path: "Sources/CLibraries/CSndFile", pkgConfig: "sndfile",
      providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(
      name: "CFLAC", path: "Sources/CLibraries/CFLAC", pkgConfig: "flac",
      providers: [.apt(["libflac-dev"])]),
    .systemLibrary(
      name: "CDigests", path: "Sources/CLibraries/CDigests", pkgConfig: "libmd",
      providers: [.apt(["libmd-dev"])]),
    .systemLibrary(
      name: "CZlib", path: "Sources/CLibraries/CZlib",
      providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "COgg", path: "Sources/CLibraries/COgg", pkgConfig: "ogg",
      providers: [.apt(["libogg-dev"])]),
    .systemLibrary(
      name: "CVorbis", path: "Sources/CLibraries/CVorbis", pkgConfig: "vorbisenc",
      providers: [.apt(["libvorbis-dev"])]),
    // The headers of FFmpeg's libraries, of Cairo and of the sound libraries lie where compilers look, and the libraries are
    // loaded when they are needed; pkg-config would have them linked.
    .systemLibrary(
      name: "CLibAV", path: "Sources/CLibraries/CLibAV",
      providers: [.apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev"])]),
    .target(
      name: "CLibAVLoader", dependencies: ["CLibAV"], path: "Sources/CLibraries/CLibAVLoader",
      cSettings: loading),
    .systemLibrary(
      name: "CSoxr", path: "Sources/CLibraries/CSoxr", pkgConfig: "soxr",
      providers: [.apt(["libsoxr-dev"])]),
    .systemLibrary(
      name: "CRubberBand", path: "Sources/CLibraries/CRubberBand", pkgConfig: "rubberband",
      providers: [.apt(["librubberband-dev"])]),
    .systemLibrary(
      name: "CEBUR128", path: "Sources/CLibraries/CEBUR128", pkgConfig: "libebur128",
      providers: [.apt(["libebur128-dev"])]),
    .systemLibrary(
      name: "TagLib", path: "Sources/CLibraries/TagLib", pkgConfig: "taglib",
      providers: [.apt(["libtag1-dev"])]),
    .target(name: "CQuietMPG123", path: "Sources/CLibraries/CQuietMPG123"),
    // Its header holds all of toml++ and lies where compilers look; the library saves compiling it.
    .target(
      name: "CTOML", path: "Sources/CLibraries/CTOML",
      linkerSettings: [.linkedLibrary("tomlplusplus")]),
    .target(name: "CTagLib", dependencies: ["TagLib"], path: "Sources/CLibraries/CTagLib"),
    .systemLibrary(name: "CTerminal", path: "Sources/CLibraries/CTerminal"),
    .target(name: "CKernels"),
    // The header of libscaleaudio, which scripts/library links.
    .systemLibrary(name: "CScaleAudio", path: "Sources/CLibraries/CScaleAudio"),
    .systemLibrary(
      name: "CCairo", path: "Sources/CLibraries/CCairo",
      providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(
      name: "CSixel", path: "Sources/CLibraries/CSixel", pkgConfig: "libsixel",
      providers: [.apt(["libsixel-dev"])]),
    // What pkg-config says of kissfft holds definitions, which a package must not take.
    .systemLibrary(
      name: "CKissFFT", path: "Sources/CLibraries/CKissFFT",
      providers: [.apt(["libkissfft-dev"])]),
    .target(
      name: "CCairoLoader", dependencies: ["CCairo"], path: "Sources/CLibraries/CCairoLoader",
      cSettings: loading),
    .systemLibrary(
      name: "CPulse", path: "Sources/CLibraries/CPulse", providers: [.apt(["libpulse-dev"])]),
    .target(
      name: "CPulseLoader", dependencies: ["CPulse"],
      path: "Sources/CLibraries/CPulseLoader", cSettings: loading),
    .systemLibrary(
      name: "CALSA", path: "Sources/CLibraries/CALSA", providers: [.apt(["libasound2-dev"])]),
    .target(
      name: "CALSALoader", dependencies: ["CALSA"],
      path: "Sources/CLibraries/CALSALoader", cSettings: loading),
    .systemLibrary(
      name: "CSDBus", path: "Sources/CLibraries/CSDBus", providers: [.apt(["libsystemd-dev"])]),
    .target(
      name: "CSDBusLoader", dependencies: ["CSDBus"],
      path: "Sources/CLibraries/CSDBusLoader", cSettings: loading),
    .target(name: "AudioModel", swiftSettings: settings),
    .target(
      name: "TimeScaling",
      dependencies: [
        "AudioModel", "CKernels", "CSoxr",
        .target(name: "CRubberBand", condition: .when(traits: ["RubberBand"])),
      ], swiftSettings: settings),
    .target(
      name: "ScaleAudioC", dependencies: ["AudioModel", "TimeScaling", "CScaleAudio"],
      swiftSettings: settings),
    .target(
      name: "AudioIO", dependencies: ["AudioModel", systemPackage], swiftSettings: settings),
    .target(
      name: "AudioContainers",
      dependencies: ["AudioModel", "AudioIO", "COgg", "CTagLib", "CZlib", systemPackage],
      swiftSettings: settings),
    .target(
      name: "FLACFiles", dependencies: codecs + ["CFLAC", "CDigests"], swiftSettings: settings),
    .target(name: "VorbisFiles", dependencies: codecs + ["CVorbis"], swiftSettings: settings),
    .target(name: "PCMFiles", dependencies: codecs, swiftSettings: settings),
    .target(
      name: "SndFileFiles", dependencies: codecs + ["CKernels", "CQuietMPG123", "CSndFile"],
      swiftSettings: settings),
    .target(
      name: "LibAVFiles", dependencies: codecs + ["CLibAV", "CLibAVLoader"],
      swiftSettings: settings),
    .target(
      name: "AudioFiles",
      dependencies: codecs + [
        "FLACFiles", "VorbisFiles", "PCMFiles", "SndFileFiles",
        .target(name: "LibAVFiles", condition: .when(traits: ["FFmpeg"])),
      ], swiftSettings: settings),
    .target(
      name: "Waveforms",
      dependencies: ["AudioModel", "CCairo", "CCairoLoader", "CKissFFT", "CSixel"],
      swiftSettings: settings),
    .target(
      name: "ScaleAudio",
      dependencies: [
        "AudioModel", "TimeScaling", "AudioIO", "AudioFiles", "Waveforms", "CEBUR128", "CDigests",
        systemPackage,
      ], swiftSettings: settings),
    .target(
      name: "ScaleAudioRuns",
      dependencies: [
        "AudioModel", "AudioIO", "AudioFiles", "ScaleAudio", "CZlib", systemPackage,
      ], swiftSettings: settings),
    .target(
      name: "AudioPlayer",
      dependencies: [
        "AudioModel", "AudioIO", "AudioFiles", "TimeScaling", "ScaleAudio", systemPackage, "CPulse",
        "CPulseLoader", "CALSA", "CALSALoader", "CSDBus", "CSDBusLoader",
      ],
      swiftSettings: settings),
    .target(name: "CServerPage", exclude: ["Page"]),
    .target(
      name: "ScaleAudioServer",
      dependencies: [
        "AudioModel", "AudioIO", "AudioFiles", "TimeScaling", "Waveforms", "ScaleAudio",
        "CServerPage", "CZlib", systemPackage,
      ] + network, swiftSettings: settings),
    .executableTarget(
      name: "scaleaudio-cli",
      dependencies: [
        "AudioModel", "ScaleAudio", "ScaleAudioRuns", "AudioPlayer", "AudioIO",
        "AudioFiles", "Waveforms", "CTerminal", "CZlib", "CTOML",
        .target(name: "ScaleAudioServer", condition: served),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        systemPackage,
      ],
      exclude: [
        "Convert/convert", "Convert/manifest", "Info/info", "Plot/plot", "Play/play",
        "Verify/verify",
      ].map {
        "Commands/\($0).schema.json"
      },
      swiftSettings: settings),
    .testTarget(
      name: "TimeScalingTests", dependencies: ["AudioModel", "TimeScaling", "TestSupport"],
      swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: ["AudioIO", "AudioModel", "CDigests", systemPackage],
      path: "Tests/TestSupport", swiftSettings: settings),
    .testTarget(
      name: "AudioFilesTests",
      dependencies: [
        "AudioModel", "AudioIO", "AudioContainers", "FLACFiles", "VorbisFiles", "PCMFiles",
        "SndFileFiles", .target(name: "LibAVFiles", condition: .when(traits: ["FFmpeg"])),
        "AudioFiles", "CSndFile", "TestSupport",
        systemPackage,
      ], swiftSettings: settings),
    .testTarget(
      name: "WaveformsTests", dependencies: ["AudioModel", "Waveforms", "TestSupport"],
      exclude: ["Snapshots"], swiftSettings: settings),
    .testTarget(
      name: "ScaleAudioTests",
      dependencies: ["AudioContainers", "ScaleAudio", "TestSupport", "Waveforms"],
      exclude: ["Support/encode-amrwb.py", "Support/waveform-data.py"], swiftSettings: settings),
    .testTarget(
      name: "ScaleAudioRunsTests",
      dependencies: ["ScaleAudioRuns", "ScaleAudio", "AudioIO", "TestSupport", systemPackage],
      swiftSettings: settings),
    .testTarget(
      name: "AudioPlayerTests",
      dependencies: [
        "AudioPlayer", "AudioModel", "AudioIO", "ScaleAudio", "TestSupport",
        "TimeScaling",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        .target(name: "ScaleAudioServer", condition: served), "scaleaudio-cli", "AudioIO",
        "AudioModel", "ScaleAudio", "TestSupport", "Waveforms", systemPackage,
      ], swiftSettings: settings),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "scaleaudio-cli", "AudioFiles", "AudioIO", "ScaleAudio", "TestSupport", "Waveforms",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: [
        "Snapshots", "Support/complete.py", "Support/failing-calls.c", "Support/in-terminal.py",
        "Support/read-manifests.py", "Support/read-screen.py", "Support/torchless.py",
      ],
      swiftSettings: settings),
  ],
  cxxLanguageStandard: .cxx17
)

// Fuzzing needs compiler flags that a package must not have, so `scripts/fuzz` asks for its target.
if Context.environment["SCALEAUDIO_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "AudioModel", "AudioIO", "AudioContainers", "AudioFiles", "ScaleAudio",
        systemPackage,
      ], path: "Tests/Fuzz", swiftSettings: settings))
}
