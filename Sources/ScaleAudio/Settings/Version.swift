/// The version of the program and the library, by semver.org.
public let scaleAudioVersion = "0.1.0"
