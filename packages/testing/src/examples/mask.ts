/** Words of a text or URL: ids and times as a whole. */
const words = /(%[0-9A-F]{2}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?|\w+)/i
const secret = /^(?!\/|.*[0-9a-f]{8}(?:-[0-9a-f]{4}){3})[\w+/=.~-]{24,}$/i

/**
 * Compares values of two runs, and replaces what differs: ids, times, secrets. The same id is replaced by the same
 * value everywhere, so that an example's path contains the id of another one's reply.
 */
export function masking(): (first: unknown, second: unknown) => unknown {
  const standIns = new Map<string, string>()
  const standIn = (word: string) => {
    const standIn = standIns.get(word) ?? replacement(word, standIns.size + 1)
    standIns.set(word, standIn)
    return standIn
  }
  const text = (first: string, second: string): string => {
    const [parts, others] = [first.split(words), second.split(words)]
    if (/^[\w-]+$/.test(first) && parts[1] !== others[1]) return secret.test(first) ? '…' : standIn(first) // a random id may contain dashes
    if (secret.test(first) || parts.length !== others.length) return '…'
    return parts.map((part, at) => (part === others[at] ? part : standIn(part))).join('')
  }
  const mask = (first: unknown, second: unknown): unknown => {
    if (first === second) return first
    if (typeof first !== typeof second) return null
    if (typeof first === 'string') return text(first, second as string)
    if (typeof first === 'number') return Number(standIn(String(Math.trunc(first))))
    if (Array.isArray(first))
      return first.slice(0, Object(second).length).map((item, at) => mask(item, Object(second)[at]))
    if (first === null || second === null) return null
    const members = Object.entries(Object(first)).filter(([name]) => name in Object(second))
    return Object.fromEntries(members.map(([name, value]) => [name, mask(value, Object(second)[name])]))
  }
  return mask
}

function replacement(word: string, number: number): string {
  if (/^\d{4}-/.test(word)) return '2026-03-01T12:00:00'
  if (/^[0-9a-f]{8}-/i.test(word)) return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  if (/^\d+$/.test(word)) return String(number)
  return /^[0-9a-f]{16,}$/i.test(word) ? String(number).padStart(word.length, '0') : `id${number}`
}

/** Bounds a body: long texts and lists are cut, which an ellipsis shows. */
export function shortened(value: unknown, maxItems = 2): unknown {
  if (typeof value === 'string') return value.length > 240 ? `${value.slice(0, 200)}…` : value
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems).map((item) => shortened(item, maxItems))
    return value.length > maxItems ? [...items, '…'] : items
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member, maxItems)]))
}
