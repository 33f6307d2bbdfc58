import type { Operation, Schema } from '@icosa/contract'

export const masked = '***'

/** Names of secrets, in lower case and without punctuation, such as `clientsecret` and `xapikey`. */
const secretName =
  /password|passwd|passphrase|secret|credential|authentication|authorization|signature|assertion|cookie|connectionstring|environmentvariables|(api|access|account|primary|secondary|private|master|shared|sas|endpoint|session|encryption|subscription|auth|webhook)keys?$|tokens?$|(pin|pincode|cvc2?|cvv2?|otp|pfx|plaintext|codeverifier|activationcode|primaryaccountnumbers|sig|dpop|auth)$/

/** Names that match but are not secrets: cursors of pages, and idempotency keys. */
const publicName = /^(next|page|nextpage|skip|continuation|idempotency|client|clientrequest)token$|^xmsclientrequestid$/

/** By name: the same few occur in every request. */
const judged = new Map<string, boolean>()
const maxJudged = 2_000

/** Whether values under a name are secrets, in bodies, queries and headers. */
export function isSecretName(name: string): boolean {
  const earlier = judged.get(name)
  if (earlier !== undefined) return earlier
  const isSecret = judge(name)
  if (judged.size < maxJudged && name.length < 100) judged.set(name, isSecret)
  return isSecret
}

function judge(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z\d]/g, '')
  return secretName.test(plain) && !publicName.test(plain)
}

/** Texts that are secrets wherever they occur: keys, tokens, private keys, passwords in URLs and connection strings. */
const secretTexts: readonly [pattern: RegExp, replacement: string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, masked],
  [/\bicosa[-_][\w-]{8,}/g, masked],
  [/\beyJ[\w-]{8,}(\.[\w-]*){0,4}/g, masked],
  [/\b(Bearer|Basic|Digest|Signature|AWS4-HMAC-SHA256)(\s+)[^\s"',;]{8,}[^"\n]*/gi, `$1$2${masked}`],
  [/(:\\?\/\\?\/[^\s/"@:]*):[^\s/"@]+@/g, `$1:${masked}@`],
  [
    /\b(password|pwd|secret|sharedaccesskey|accountkey|sig|signature|token|access_token|code)=[^;&\s"]+/gi,
    `$1=${masked}`,
  ],
]

/** Characters without which no text above is a secret; most short values have none. */
const candidate = /[=@\s]|icosa|eyJ/

export const withoutSecrets = (text: string) =>
  candidate.test(text)
    ? secretTexts.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text)
    : text

const marked = new WeakMap<Operation, ReadonlySet<string>>()

/** Returns the names that an operation's contract marks as secrets. */
export function secretsIn(operation: Operation): ReadonlySet<string> {
  const fields = marked.get(operation)
  if (fields) return fields
  const names = new Set<string>()
  const seen = new Set<unknown>()
  function collect(schema: unknown): void {
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) return
    seen.add(schema)
    for (const [name, property] of Object.entries((schema as { properties?: object }).properties ?? {}))
      if ((property as { format?: string }).format === 'password') names.add(name)
    for (const part of Object.values(schema)) collect(part)
  }
  const schemas: (Schema | null | undefined)[] = [operation.body, operation.query, ...Object.values(operation.replies)]
  for (const schema of schemas) collect(schema)
  marked.set(operation, names)
  return names
}
