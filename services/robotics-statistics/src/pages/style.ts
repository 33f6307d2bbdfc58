import { Html } from './html.ts'

/** Light or dark, as the reader's machine is. */
export const style = new Html(`
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --line: #d0d7de; --quiet: #57606a;
  --red: #fde8e8; --red-wins: #f7b5b5; --blue: #e3eefc; --blue-wins: #a9cdf7; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --line: #30363d; --quiet: #9aa5b1;
  --red: #3a1d20; --red-wins: #7a2c33; --blue: #14263f; --blue-wins: #1f4f8f; } }
body { margin: 0 auto; padding: 1.5rem; max-width: 78rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); }
h1 { margin: 0; font-size: 1.6rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; }
header p { margin: .1rem 0; color: var(--quiet); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .9rem .25rem 0; text-align: left; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { color: var(--quiet); font-weight: 600; }
.won { font-weight: 700; }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink); font-variant-numeric: tabular-nums; }
svg .round { font-weight: 600; }
svg .match { font-size: 11px; fill: var(--quiet); }
svg .won { font-weight: 700; }
.red { fill: var(--red); } .red.wins { fill: var(--red-wins); }
.blue { fill: var(--blue); } .blue.wins { fill: var(--blue-wins); }
td.of-red { background: var(--red); } td.of-blue { background: var(--blue); }
td.of-red, td.of-blue { padding-left: .5rem; }
td.of-blue + td { padding-left: .9rem; }
`)
