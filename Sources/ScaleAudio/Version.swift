/// The version of the library and of the program, by semver.org.
public let scaleAudioVersion = "0.1.0"
