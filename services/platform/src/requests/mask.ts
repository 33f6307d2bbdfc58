import { isSecretName, masked, withoutSecrets } from './secrets.ts'

/** Characters of a body, after masking. */
export const maxBodyLength = 4_096
/** Characters that are examined, so that a secret at the end of the shown part is recognized as a whole. */
const maxExamined = 2 * maxBodyLength

export interface ShownBody {
  readonly text: string
  readonly isTruncated: boolean
}

type IsSecret = (name: string) => boolean

/**
 * The beginning of a body without secrets. Undefined for media types whose structure is unknown, in which no secret
 * could be recognized.
 */
export function maskBody(
  content: string | Uint8Array,
  contentType: unknown,
  marked: ReadonlySet<string>,
): ShownBody | undefined {
  const type = typeof contentType === 'string' ? contentType : ''
  const mask = isJson.test(type) ? maskJson : isForm.test(type) ? maskForm : undefined
  if (!mask) return undefined
  const start = typeof content === 'string' ? content.slice(0, maxExamined) : decode(content.subarray(0, maxExamined))
  const isSecret = (name: string) => marked.has(name) || isSecretName(name)
  const text = withoutSecrets(mask(start, isSecret))
  return {
    text: text.slice(0, maxBodyLength).toWellFormed(),
    isTruncated: content.length > maxExamined || text.length > maxBodyLength,
  }
}

const isJson = /^\s*application\/([\w.-]+\+)?json\b/i
const isForm = /^\s*application\/x-www-form-urlencoded\b/i
const decode = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')

/** White space, a text, which is a name if a colon follows, punctuation, or a word. */
const jsonToken = /\s+|("(?:[^"\\]|\\[\s\S])*"?)(\s*:\s*)?|[{}[\],]|(?:true|false|null|-?\d[\d.eE+-]*)(?![^\s,}\]])/y

/**
 * Masks the values of secret names in the beginning of a JSON text. Stops where the text is not JSON, since names and
 * values cannot be distinguished from there on.
 */
export function maskJson(text: string, isSecret: IsSecret): string {
  const tokens = new RegExp(jsonToken)
  let output = ''
  let depth = 0
  /** Depth of the value being masked. */
  let maskedAt: number | undefined
  let isAfterValue = false
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [token, quoted, colon] = match
    const name = colon === undefined ? undefined : quoted
    const isSpace = token.trim() === ''
    const isClosing = token === '}' || token === ']'
    const isOpening = token === '{' || token === '['
    if (!isSpace && !isClosing && isAfterValue !== (token === ',')) break
    if (isClosing) depth--
    if (maskedAt === undefined || depth < maskedAt) output += token
    if (isSpace) continue
    if (isOpening) depth++
    isAfterValue = !isOpening && token !== ',' && name === undefined
    if (isAfterValue && maskedAt !== undefined && depth <= maskedAt) maskedAt = undefined
    if (name === undefined || maskedAt !== undefined || !isSecret(nameIn(name))) continue
    output += `"${masked}"`
    maskedAt = depth
  }
  return output
}

/** Decodes the escapes of a name: `"pass\u0077ord"` is one too. */
function nameIn(token: string): string {
  try {
    return JSON.parse(token)
  } catch {
    return 'password' // an incomplete name; what follows, if anything, is masked
  }
}

export function maskForm(text: string, isSecret: IsSecret): string {
  return text
    .split('&')
    .map((field) => {
      const [name = '', ...value] = field.split('=')
      return value.length > 0 && !isSecret(decodedName(name)) ? field : `${name}=${masked}`
    })
    .join('&')
}

/** Decodes a part of a query or form. */
export function decodedName(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return 'password' // not decodable, so its name cannot be judged
  }
}
