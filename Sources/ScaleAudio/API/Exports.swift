// The types that public signatures of this module mention, so that `import ScaleAudio` suffices to use it.
//
// AudioModel and AudioIO are not products, so the types that those types mention come with them. TimeScaling and Waveforms
// are: import them for the rest, beyond `StretchSettings`, which a `ScalingMethod` carries. AudioFiles has no public
// types; it extends `AudioFormat`.

@_exported public import AudioFiles

@_exported public import enum AudioIO.AudioFileError
@_exported public import struct AudioIO.AudioFormat
@_exported public import struct AudioIO.EncodingOptions
@_exported public import struct AudioIO.SourceDescription
@_exported public import struct AudioIO.StorageDescription
@_exported public import struct AudioIO.TextEncoding
@_exported public import struct AudioModel.AudioSpec
@_exported public import struct AudioModel.AudioWarning
@_exported public import struct AudioModel.ChannelLayout
@_exported public import struct AudioModel.Clipping
@_exported public import protocol AudioModel.ErrorWithRemedy
@_exported public import struct AudioModel.Metadata
@_exported public import struct AudioModel.MetadataLoss
@_exported public import enum AudioModel.MetadataSelection
@_exported public import protocol AudioModel.PCMSample
@_exported public import struct AudioModel.RawPCM
@_exported public import enum AudioModel.Remedy
@_exported public import enum AudioModel.SampleFormat
@_exported public import enum AudioModel.Speaker
@_exported public import struct AudioModel.TimeMap
@_exported public import struct SystemPackage.Errno
@_exported public import struct SystemPackage.FilePath
@_exported public import enum TimeScaling.Dither
@_exported public import enum TimeScaling.Downmix
@_exported public import enum TimeScaling.ScalingError
@_exported public import enum TimeScaling.ScalingMethod
@_exported public import enum TimeScaling.ScalingQuality
@_exported public import struct TimeScaling.StretchSettings
@_exported public import struct TimeScaling.TimeFactor
@_exported public import struct Waveforms.LevelSettings
@_exported public import enum Waveforms.PictureFormat
@_exported public import struct Waveforms.PictureSettings
@_exported public import enum Waveforms.RenderingError
@_exported public import enum Waveforms.TerminalGraphics
@_exported public import struct Waveforms.TextMeasure
@_exported public import struct Waveforms.TextSettings
@_exported public import enum Waveforms.WaveformDataError
@_exported public import enum Waveforms.WaveformDataFormat
@_exported public import struct Waveforms.WaveformDataSettings
