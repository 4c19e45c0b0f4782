"""Why bars are missed, by work and what they are compared with. Printed only where one is."""

KERNEL = "This machine."

REASONS = {}


def reason(bar):
    return REASONS.get((bar.work, bar.against), "not looked into.")
