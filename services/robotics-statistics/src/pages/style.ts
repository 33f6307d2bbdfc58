/** Stylesheet of an event's page. */
export const style = `
:root { --red: #fde8e8; --red-wins: #f7b5b5; --blue: #e3eefc; --blue-wins: #a9cdf7; }
@media (prefers-color-scheme: dark) { :root { --red: #3a1d20; --red-wins: #7a2c33; --blue: #14263f; --blue-wins: #1f4f8f; } }
body { margin: 0 auto; padding: 1.5rem; max-width: 78rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; }
header p { margin: .1rem 0; color: var(--muted); }
th, td { white-space: nowrap; }
.won { font-weight: 700; }
svg text { font: 13px system-ui, sans-serif; fill: var(--text); font-variant-numeric: tabular-nums; }
svg .round { font-weight: 600; }
svg .match { font-size: 11px; fill: var(--muted); }
svg .won { font-weight: 700; }
.red { fill: var(--red); } .red.wins { fill: var(--red-wins); }
.blue { fill: var(--blue); } .blue.wins { fill: var(--blue-wins); }
td.of-red { background: var(--red); } td.of-blue { background: var(--blue); }
td.of-red, td.of-blue { padding-left: .5rem; }
td.of-blue + td { padding-left: .9rem; }
`
