"""Pictures: spectrograms of sweeps, and the spectra of a tone."""
import io, os
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
import measures as m
import signals as s
import sinc
import tools

FOLDER = os.path.join("Tests", "Quality", "pictures")
METHODS = ["linear", "smoothstep", "sinc high"]
RANGE = 140


def shown(binary):
    return [tool for tool in tools.varispeed(binary) if tool.name in METHODS]


def save(figure, name):
    """As a PNG of few colors, which is small and the same in every run."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", metadata={"Software": None})
    plt.close(figure)
    image = Image.open(drawn).convert("RGB").quantize(128, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    image.save(os.path.join(s.ROOT, FOLDER, name), optimize=True)


def sweep_name(factor):
    return f"sweep-{factor.replace('/', '-')}.png"


def draw_sweep(factor, chosen, sound, folder):
    """The spectrograms of one sweep by several methods, side by side, down to -140 dB."""
    figure, axes = plt.subplots(1, len(chosen), figsize=(9, 3), dpi=100, sharey=True,
                                layout="constrained")
    for axis, tool in zip(axes, chosen):
        output = tool.run(sound, factor, folder)[:, 0]
        levels = m.spectrogram(output, len(output) // 300, s.SWEEP_PEAK)
        drawn = axis.imshow(
            levels.T, origin="lower", aspect="auto", vmin=-RANGE, vmax=0, cmap="magma",
            interpolation="antialiased", extent=(0, len(output) / s.RATE, 0, s.RATE / 2000))
        axis.set_title(tool.name, fontsize=10)
        axis.set_xlabel("s")
    axes[0].set_ylabel("kHz")
    figure.colorbar(drawn, ax=axes, label="dB", pad=0.01)
    save(figure, sweep_name(factor))


def draw_tone(chosen, sound, folder, frequency=10000, factor="1.5"):
    """The spectra of one tone by several methods, side by side."""
    figure, axes = plt.subplots(1, len(chosen), figsize=(9, 2.4), dpi=100, sharey=True,
                                layout="constrained")
    for axis, tool in zip(axes, chosen):
        output = m.middle(tool.run(sound, factor, folder)[:, 0])
        spectrum = np.abs(np.fft.rfft(output * np.kaiser(len(output), 22)))
        levels = 20 * np.log10(np.maximum(spectrum / spectrum.max(), 1e-10))
        # The highest of each few bins: a line is drawn, not the noise between.
        bins = 16
        levels = levels[:len(levels) // bins * bins].reshape(-1, bins).max(axis=1)
        axis.plot(np.linspace(0, s.RATE / 2000, len(levels)), levels, linewidth=0.9, color="#5b2a86")
        axis.set_title(tool.name, fontsize=10)
        axis.set_xlabel("kHz")
        axis.set_xlim(0, s.RATE / 2000)
        axis.set_ylim(-160, 5)
        axis.grid(alpha=0.3, linewidth=0.5)
    axes[0].set_ylabel("dB")
    save(figure, "tone.png")


def draw(binary, folder):
    os.makedirs(os.path.join(s.ROOT, FOLDER), exist_ok=True)
    sweep, tone = s.sweep(), s.tone(10000)
    for sound in (sweep, tone):
        tools.written(sound, folder)
    for factor in sinc.SWEEPS:
        draw_sweep(factor, shown(binary), sweep, folder)
    draw_tone(shown(binary), tone, folder)
