// The types of AudioModel that the public signatures of this module mention, so that `import TimeScaling` suffices.
// AudioModel is not a product.

@_exported public import struct AudioModel.ChannelLayout
@_exported public import struct AudioModel.Clipping
@_exported public import protocol AudioModel.ErrorWithRemedy
@_exported public import struct AudioModel.Int24
@_exported public import protocol AudioModel.PCMSample
@_exported public import enum AudioModel.Remedy
@_exported public import enum AudioModel.SampleFormat
@_exported public import enum AudioModel.Speaker
@_exported public import struct AudioModel.TimeMap
