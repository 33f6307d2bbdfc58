const levels = ['DEBUG', 'INFO', 'NOTICE', 'WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY']

/** A line of a function with its level: that of a line in JSON with `severity`, else by its stream. */
export function toLine(text: string, from: 'stdout' | 'stderr'): string {
  const { message, severity } = structured(text)
  const level = levels.find((name) => name === String(severity).toUpperCase()) ?? (from === 'stdout' ? 'INFO' : 'ERROR')
  return `${level.padEnd(7)} ${message ?? text}`
}

function structured(text: string): { readonly message?: string; readonly severity?: unknown } {
  if (!text.startsWith('{')) return {}
  try {
    const { message, severity } = JSON.parse(text)
    return { ...(typeof message === 'string' && { message }), severity }
  } catch {
    return {}
  }
}
