/** A token's key, as named by RFC 7512. */
export interface TokenKey {
  /** Token label. */
  readonly token: string
  /** Label of the key, its ID, or both. */
  readonly object: string | undefined
  readonly id: string | undefined
  /** Path of the library. */
  readonly library: string
  /** File containing the PIN, or the PIN itself. */
  readonly pin: { readonly file: string } | { readonly value: string }
}

const inPath = ['token', 'object', 'id', 'type']
const inQuery = ['module-path', 'pin-source', 'pin-value']

/** Throws an error whose message fits after `it `. */
export function parseTokenKey(text: string): TokenKey {
  const [, path = '', query = ''] = /^pkcs11:([^?]*)(?:\?(.*))?$/s.exec(text) ?? fail('does not begin with pkcs11:')
  const attributes = attributesOf(path, ';', inPath)
  const more = attributesOf(query, '&', inQuery)
  const token = attributes.get('token') ?? fail('names no token: add token=<label>')
  const [object, id] = [attributes.get('object'), attributes.get('id')]
  if (object === undefined && id === undefined) fail('names no key: add object=<label> or id=<id>')
  const library = more.get('module-path') ?? fail('names no library: add ?module-path=<path>')
  const [source, value] = [more.get('pin-source'), more.get('pin-value')]
  if ((source === undefined) === (value === undefined))
    fail('needs pin-source=file:<path> or pin-value=<PIN>, and not both')
  if (source === undefined) return { token, object, id, library, pin: { value: value ?? '' } }
  const file = source.replace(/^file:(\/\/)?/, '')
  if (!file.startsWith('/')) fail('has a pin-source that is not file:<path>')
  return { token, object, id, library, pin: { file } }
}

/** Name of the key, independent of library and PIN. */
export function nameOf({ token, object, id }: Pick<TokenKey, 'token' | 'object' | 'id'>): string {
  const parts = Object.entries({ token, object, id }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `pkcs11:${parts.join(';')}`
}

function attributesOf(text: string, separator: string, names: readonly string[]): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const part of text.split(separator).filter(Boolean)) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(part) ?? fail(`has '${part}', which has no =`)
    if (!names.includes(name)) fail(`has ${name}, which is not known here: use ${names.join(', ')}`)
    if (attributes.has(name)) fail(`has ${name} twice`)
    attributes.set(name, decoded(name, value))
  }
  return attributes
}

/** IDs are bytes. */
function decoded(name: string, value: string): string {
  try {
    if (name !== 'id') return decodeURIComponent(value)
    return value.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  } catch {
    return fail(`has a ${name} that is not percent-encoded`)
  }
}

function fail(what: string): never {
  throw new Error(what)
}
