"""Why ours is behind another tool, by row of table 2. A row's text is printed only where it is behind."""

REASONS = {}
