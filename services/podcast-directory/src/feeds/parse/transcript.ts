import { html, wordsOf } from './text.ts'

const maxCharacters = 500_000

const cueTime = /^(?:(\d{1,2}):)?(\d{2}):(\d{2})[.,]\d{3}\s+-->/

/** Plain text with a line per cue, prefixed by its time if known. */
export function plainTranscript(text: string, contentType: string): string {
  return html(linesOf(text, contentType).join('\n'), maxCharacters)
}

function linesOf(text: string, contentType: string): string[] {
  if (/json/i.test(contentType)) return segmentsOf(text)
  if (/html/i.test(contentType)) return [wordsOf(text)]
  return /^\s*WEBVTT|-->/.test(text.slice(0, 10_000)) ? cuesOf(text) : text.split(/\r?\n/)
}

/** WebVTT and SubRip: a time, then text up to an empty line. */
function cuesOf(text: string): string[] {
  const lines: string[] = []
  for (const block of text.split(/\r?\n\s*\r?\n/)) {
    const rows = block.split(/\r?\n/)
    const at = rows.findIndex((row) => cueTime.test(row))
    if (at < 0) continue
    const [, hours = '00', minutes, seconds] = cueTime.exec(rows[at] as string) ?? []
    lines.push(`${hours.padStart(2, '0')}:${minutes}:${seconds} ${wordsOf(rows.slice(at + 1).join(' '))}`)
  }
  return lines
}

/** The podcast namespace's JSON: `{"segments": [{"startTime": 1.5, "body": "Welcome"}]}`. */
function segmentsOf(text: string): string[] {
  try {
    const { segments } = JSON.parse(text) as { segments?: unknown }
    return (Array.isArray(segments) ? segments : []).flatMap(
      ({ startTime, body }: { startTime?: unknown; body?: unknown }) =>
        typeof body === 'string' ? [`${clockOf(Number(startTime) || 0)} ${body.trim()}`] : [],
    )
  } catch {
    return []
  }
}

const clockOf = (seconds: number) =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')
