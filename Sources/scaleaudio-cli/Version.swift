/// The version of the program, by semver.org.
let scaleAudioVersion = "0.1.0"
