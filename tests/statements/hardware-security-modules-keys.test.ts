import {
  constants,
  createDecipheriv,
  createHash,
  createPublicKey,
  publicEncrypt,
  randomBytes,
  type VerifyKeyObjectInput,
  verify,
} from 'node:crypto'
import { type Answer, statementsOf, until } from './statements.ts'

const service = 'hardware-security-modules'
const at = `/subscriptions/mine/resourceGroups/web/providers/Vendor.HardwareSecurityModules/dedicatedHSMs/vault?api-version=2018-10-31-preview`
const module = { location: 'westus', sku: { name: 'SafeNet Luna Network HSM A790' }, properties: {} }
const base64 = (value: string | Buffer) => Buffer.from(value).toString('base64')
const data = Buffer.from('hello')
const value = base64(data)

const keys = {
  p256: { type: 'EC', curve: 'P-256' },
  p384: { type: 'EC', curve: 'P-384' },
  p521: { type: 'EC', curve: 'P-521' },
  ed25519: { type: 'OKP', curve: 'Ed25519' },
  rsa2048: { type: 'RSA', size: 2048 },
  rsa3072: { type: 'RSA', size: 3072 },
  aes256: { type: 'AES', size: 256 },
}
const pss = (saltLength: number) => ({ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength })
const algorithms: readonly [string, keyof typeof keys, string | null, Omit<VerifyKeyObjectInput, 'key'>][] = [
  ['ES256', 'p256', 'sha256', {}],
  ['ES384', 'p384', 'sha384', {}],
  ['ES512', 'p521', 'sha512', {}],
  ['EdDSA', 'ed25519', null, {}],
  ['RS256', 'rsa2048', 'sha256', {}],
  ['RS384', 'rsa2048', 'sha384', {}],
  ['RS512', 'rsa2048', 'sha512', {}],
  ['PS256', 'rsa2048', 'sha256', pss(32)],
  ['PS384', 'rsa2048', 'sha384', pss(48)],
  ['PS512', 'rsa3072', 'sha512', pss(64)],
]

statementsOf('H (keys)', [service], async ({ call, caller, holds, instance }) => {
  const manage = caller(service)
  const created = async () => {
    await manage('PUT', at, module)
    return until(async () => {
      const { properties } = (await manage('GET', at)).json ?? {}
      return properties?.provisioningState === 'Succeeded' && String(properties.endpoint)
    })
  }
  const endpoint = await created()
  holds('a module gets an endpoint', endpoint)
  const { headers: bearer } = instance.app.service(service)
  const ask = (method: string, path: string, json?: object, headers: Readonly<Record<string, string>> = bearer) =>
    call(`${endpoint}${path}`, { method, headers, ...(json && { json }) })
  const make = (name: string, body: object) => ask('PUT', `/keys/${name}`, body)
  const use = (name: string, operation: string, body: object, headers = bearer) =>
    ask('POST', `/keys/${name}/${operation}`, body, headers)
  const codeOf = ({ json }: Answer) => json?.error?.code
  const uses = async (key: string): Promise<Record<string, string>[]> =>
    (await ask('GET', `/uses?key=${key}`)).json?.value ?? []

  const none = await ask('GET', '/keys')
  holds('a new module has no keys', none.status === 200 && none.json.value.length === 0, none.text)
  const anonymous = await ask('GET', '/keys', undefined, {})
  holds('a request without a credential is 401', anonymous.status === 401 && codeOf(anonymous), anonymous.text)
  const challenge = anonymous.headers.get('www-authenticate') ?? ''
  holds('a 401 asks for a token or the PIN', /Bearer/.test(challenge) && /Basic/.test(challenge), challenge)
  const absent = await call(`/${service}/modules/00000000-0000-4000-8000-000000000000/keys`, { headers: bearer })
  holds('a module that is not there is 404', absent.status === 404, absent.text)

  const publicKeys: Record<string, string> = {}
  for (const [name, spec] of Object.entries(keys)) {
    const { status, json, text } = await make(name, spec)
    publicKeys[name] = json?.publicKey
    const [sized] = Object.entries(spec).slice(1)
    holds(`a key ${name} is made: 201`, status === 201 && json.name === name && json[String(sized?.[0])] === sized?.[1])
    const details = spec.type === 'AES' || createPublicKey(json.publicKey).asymmetricKeyDetails
    holds(`its public half is shown, and nothing secret: ${name}`, details && !/PRIVATE/.test(text), text)
  }
  const aes = (await ask('GET', '/keys/aes256')).json
  holds('an AES key has no public half', aes.type === 'AES' && aes.publicKey === undefined, aes)
  holds('an AES key encrypts and decrypts by default', aes.operations.join() === 'encrypt,decrypt', aes)
  holds('a key is not exportable by default', aes.exportable === false && aes.imported === false, aes)
  const listed = (await ask('GET', '/keys')).json.value.map(({ name }: { name: string }) => name)
  holds('all keys are listed', listed.length === Object.keys(keys).length && listed.includes('ed25519'), listed)

  for (const [algorithm, key, hash, options] of algorithms) {
    const signed = await use(key, 'sign', { algorithm, value })
    const signature = signed.json?.signature ?? ''
    const isVerified = verify(hash, data, { key: publicKeys[key] ?? '', ...options }, Buffer.from(signature, 'base64'))
    holds(`${algorithm}: OpenSSL verifies the signature`, isVerified, signed.text)
    const right = await use(key, 'verify', { algorithm, value, signature })
    const wrong = await use(key, 'verify', { algorithm, value: base64('hellO'), signature })
    const isTold = right.json?.valid === true && wrong.json?.valid === false
    holds(`${algorithm}: the module verifies it, and no other value`, isTold, [right.text, wrong.text])
  }
  const digest = createHash('sha256').update(data).digest()
  const byDigest = await use('p256', 'sign', { algorithm: 'ES256', digest: base64(digest), encoding: 'raw' })
  const raw = Buffer.from(byDigest.json?.signature ?? '', 'base64')
  const isRaw = verify('sha256', data, { key: publicKeys.p256 ?? '', dsaEncoding: 'ieee-p1363' }, raw)
  holds('a digest is signed, raw if asked for', raw.length === 64 && isRaw, byDigest.text)
  const short = await use('p256', 'sign', { algorithm: 'ES256', digest: base64('short') })
  holds('a digest of another length is refused', short.status === 400 && short.text.includes('32'), short.text)
  const both = await use('p256', 'sign', { algorithm: 'ES256', value, digest: base64(digest) })
  holds('a value and a digest at once are refused', both.status === 400, both.text)
  const unfit = await use('rsa2048', 'sign', { algorithm: 'ES256', value })
  holds('an algorithm of another type is refused', unfit.status === 400 && unfit.text.includes('rsa2048'), unfit.text)
  const unknown = await use('none', 'sign', { algorithm: 'ES256', value })
  holds('a key that is not there is 404', unknown.status === 404 && codeOf(unknown) === 'KeyNotFound', unknown.text)
  const unable = await use('aes256', 'sign', { algorithm: 'RS256', value })
  holds('an operation that a key has not is 403', unable.status === 403 && codeOf(unable) === 'KeyDoesNot', unable.text)

  const same = await make('p256', keys.p256)
  holds('PUT of the same key is 200, and the key stays', same.status === 200 && same.json.publicKey === publicKeys.p256)
  const other = await make('p256', keys.rsa2048)
  holds('PUT of another key of that name is 409', other.status === 409 && codeOf(other) === 'KeyExists', other.text)
  const mixed = await make('mixed', { type: 'RSA', operations: ['wrap', 'unwrap', 'encrypt', 'decrypt'] })
  holds('a key does not wrap and encrypt', mixed.status === 400 && mixed.text.includes('operations'), mixed.text)
  const small = await make('small', { type: 'RSA', size: 1024 })
  holds('an RSA key has 2048 bits or more', small.status === 400 && small.text.includes('2048'), small.text)
  const named = await make('with.dot', keys.p256)
  holds('a name has letters, digits, _ and -', named.status === 400 && named.text.includes('1 to 64'), named.text)

  const door = await make('door', { type: 'RSA', size: 2048, operations: ['wrap', 'unwrap'] })
  await make('keeper', { type: 'AES', operations: ['wrap', 'unwrap'] })
  await make('traveller', { type: 'AES', size: 256, exportable: true })
  for (const [algorithm, by, length] of [
    ['AES-KW', 'keeper', 40],
    ['AES-KWP', 'keeper', 40],
    ['RSA-OAEP', 'door', 256],
  ] as const) {
    const { json, text } = await use(by, 'wrap', { algorithm, key: 'traveller' })
    holds(`${algorithm} wraps an exportable key`, Buffer.from(json?.value ?? '', 'base64').length === length, text)
  }
  const kept = await use('keeper', 'wrap', { algorithm: 'AES-KW', key: 'aes256' })
  holds('a key that is not exportable never leaves', kept.status === 403 && codeOf(kept) === 'KeyUnexportable')
  const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }
  const secret = randomBytes(32)
  const wrapped = base64(publicEncrypt({ key: door.json.publicKey, ...oaep }, secret))
  const unwrapping = { algorithm: 'RSA-OAEP', value: wrapped, name: 'imported', type: 'AES', size: 256 }
  const imported = await use('door', 'unwrap', unwrapping)
  holds('a key wrapped outside is imported: 201', imported.status === 201 && imported.json.imported, imported.text)
  const sealed = Buffer.from((await use('imported', 'encrypt', { algorithm: 'AES-GCM', value })).json.value, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(0, 12)).setAuthTag(sealed.subarray(-16))
  const opened = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
  holds('OpenSSL decrypts with that key what the module encrypts', opened.equals(data), opened.toString())
  const nonsense = await use('door', 'unwrap', { ...unwrapping, name: 'nonsense', value: base64(randomBytes(256)) })
  holds('what is no wrapped key is refused', nonsense.status === 400, nonsense.text)

  const gcm = { algorithm: 'AES-GCM', value, aad: base64('row 7') }
  const encrypted = (await use('aes256', 'encrypt', gcm)).json.value
  const decrypted = await use('aes256', 'decrypt', { ...gcm, value: encrypted })
  holds('AES-GCM decrypts what it encrypted', decrypted.json?.value === value, decrypted.text)
  const twice = (await use('aes256', 'encrypt', gcm)).json.value
  holds('the same value is encrypted anew each time', twice !== encrypted)
  const altered = await use('aes256', 'decrypt', { ...gcm, value: encrypted, aad: base64('row 8') })
  holds('other data along with it is refused', altered.status === 400 && !altered.text.includes(value), altered.text)
  const reader = await make('reader', { type: 'RSA', size: 2048, operations: ['encrypt', 'decrypt'] })
  const outside = base64(publicEncrypt({ key: reader.json.publicKey, ...oaep }, data))
  const read = await use('reader', 'decrypt', { algorithm: 'RSA-OAEP', value: outside })
  holds('RSA-OAEP decrypts what was encrypted outside', read.json?.value === value, read.text)

  const otherTenant = (await instance.app.tenant('rival')).service(service).headers
  const seen = await ask('GET', '/keys', undefined, otherTenant)
  holds('another tenant does not see the keys', seen.status === 404, seen.text)
  const used = await use('aes256', 'encrypt', gcm, otherTenant)
  holds('another tenant does not use them', used.status === 404, used.text)

  const newPin = async () => (await ask('POST', '/pin')).json?.pin as string
  const by = (pin: string) => ({ authorization: `Basic ${base64(`app:${pin}`)}` })
  const sign = (headers: Record<string, string>) => use('p256', 'sign', { algorithm: 'ES256', value }, headers)
  const first = await newPin()
  holds('the PIN of a module signs', (await sign(by(first))).status === 200)
  const guessed = await sign(by('wrong'))
  holds('a wrong PIN is 401', guessed.status === 401, guessed.text)
  const managed = await ask('DELETE', '/keys/p384', undefined, by(first))
  holds('the PIN deletes no keys', managed.status === 403, managed.text)
  holds('the PIN reads no uses', (await ask('GET', '/uses', undefined, by(first))).status === 403)
  const changed = await ask('PATCH', '/keys/p256', { access: [{ caller: 'pin', operations: ['verify'] }] })
  holds('the access of a key is changed', changed.json?.access[0].operations.join() === 'verify', changed.text)
  const denied = await sign(by(first))
  holds('without access the PIN does not sign', denied.status === 403 && codeOf(denied) === 'KeyAccess', denied.text)
  await ask('PATCH', '/keys/p256', { access: [{ caller: '*', operations: ['sign', 'verify'] }] })
  const second = await newPin()
  holds('a new PIN ends the old one', (await sign(by(first))).status === 401)
  for (let attempt = 0; attempt < 10; attempt++) await sign(by('guess'))
  const locked = await sign(by(second))
  holds('ten wrong PINs lock the right one, too', locked.status === 403 && codeOf(locked) === 'PinLocked', locked.text)
  holds('a token is not locked', (await sign(bearer)).status === 200)
  holds('a new PIN opens it again', (await sign(by(await newPin()))).status === 200)

  const history = await uses('p256')
  const [latest] = history
  const isSigning = latest?.operation === 'sign' && latest.algorithm === 'ES256' && latest.outcome === 'done'
  holds('the latest use is listed first', isSigning && latest?.caller === 'pin:app', latest)
  holds('the making of a key is the first of its uses', history.at(-1)?.operation === 'make', history.at(-1))
  const isOfKey = history.length > 5 && history.every(({ key }) => key === 'p256')
  holds('uses are listed by key', isOfKey, history)
  const refusals = history.filter(({ outcome, caller: who }) => outcome === 'refused' && who === 'pin:app')
  holds('a refused use is listed, with why', refusals.length === 1 && refusals[0]?.detail, refusals)

  const removed = await ask('DELETE', '/keys/p521')
  holds('DELETE of a key is 204', removed.status === 204, removed.text)
  holds('a deleted key is 404', (await ask('GET', '/keys/p521')).status === 404)
  const gone = await use('p521', 'sign', { algorithm: 'ES512', value })
  holds('a deleted key does not sign', gone.status === 404, gone.text)
  const anew = await make('p521', keys.p521)
  holds('a key made under its name is another', anew.status === 201 && anew.json.publicKey !== publicKeys.p521)

  await manage('DELETE', at)
  holds('a deleted module signs nothing', await until(async () => (await sign(bearer)).status === 404))
  await until(async () => (await manage('GET', at)).status === 404)
  const next = await created()
  const left = await call(`${next}/keys`, { headers: bearer })
  holds(
    'a module made under its name has none of its keys',
    next !== endpoint && left.json.value.length === 0,
    left.text,
  )
})
