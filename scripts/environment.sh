# Settings of all scripts that build; they source it.

# SwiftPM gives the package's traits to the compiler in the order of their hashes, which differs from process to process.
# Another order compiles everything again.
export SWIFT_DETERMINISTIC_HASHING=1

# The command of the tests. The release of the program stays in .build.
swift_test=(swift test -c release --scratch-path .build-test)
