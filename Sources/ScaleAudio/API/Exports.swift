// People import ScaleAudio alone; the values that its interface speaks of come with it.
@_exported public import AudioFiles
@_exported public import AudioIO
@_exported public import AudioModel
@_exported public import TimeScaling
@_exported public import Waveforms

@_exported public import struct SystemPackage.Errno
@_exported public import struct SystemPackage.FilePath
