import { setTimeout as sleep } from 'node:timers/promises'
import { type Files, zipOf } from '@icosa/functions/testing/app'
import { setSecret } from '../../services/functions/src/secrets/secrets.ts'
import { type Answer, statementsOf, until } from './statements.ts'

const parent = 'projects/shop/locations/here'
const nameOf = (id: string) => `${parent}/functions/${id}`
const eventType = 'google.cloud.pubsub.topic.v1.messagePublished'
const triggerOf = (topic: string, more: object = {}) => ({
  eventTrigger: { eventType, pubsubTopic: `projects/shop/topics/${topic}`, ...more },
})
const saying = (word: string): Files => ({
  'index.js': `exports.hello = (request, response) => response.send('${word}')\n`,
})
const echo: Files = {
  'index.js': `const { existsSync } = require('node:fs')
exports.hello = async (request, response) => {
  const { method, path, query, body } = request
  if (path === '/throw') throw new Error('thrown')
  if (path === '/exit') process.exit(3)
  if (path === '/late') return setTimeout(() => response.send('late'), 60_000)
  if (path === '/stream') {
    response.write('a')
    return setTimeout(() => response.end('b'), 200)
  }
  if (path === '/outside') {
    const reached = await fetch(query.url).then(() => true, () => false)
    return response.json({ reached, file: existsSync(query.file), names: Object.keys(process.env) })
  }
  console.log('printed', method)
  response.status(418).set('x-own', 'yes').json({
    method, path, query, body, header: request.get('x-in'), token: request.get('authorization'), secret: process.env.SECRET,
  })
}
`,
}
const python: Files = {
  'main.py': `import functions_framework
@functions_framework.http
def hello(request):
    return ' '.join([request.method, request.path, request.args['name'], request.get_data(as_text=True)])
`,
}
const module: Files = {
  'index.mjs': "export const hello = (request, response) => response.send('module')\n",
  'package.json': '{"type":"module","main":"index.mjs"}',
}
const listener: Files = {
  'index.js': `let count = 0
exports.hello = ({ type, source, id, data }) => {
  const { message } = data
  console.log('attempt', ++count, type, source, message.messageId === id, Buffer.from(message.data, 'base64').toString(), message.attributes.size)
  if (count === 1) throw new Error('not yet')
}
`,
}
const framework: Files = {
  'index.js': `const framework = require('@google-cloud/functions-framework')
framework.cloudEvent('hello', (event) => console.log('taken', event.type))
`,
}
const pausing: Files = {
  'index.js': `exports.hello = (request, response) => {
  response.write('begun, ')
  setTimeout(() => response.end('done'), 3_000)
}
`,
}
/** Sources that cannot be deployed, with a pattern of the operation's error. */
const broken: Readonly<Record<string, readonly [Files | Uint8Array, object, RegExp]>> = {
  'a syntax error in Node': [{ 'index.js': 'exports.hello = (\n  a b\n' }, {}, /index\.js:2/],
  'a syntax error in Python': [
    { 'main.py': "def hello(request)\n    return 'x'\n" },
    { runtime: 'python311' },
    /main\.py/,
  ],
  'a dependency that is not there': [
    { ...saying('x'), 'package.json': '{"dependencies":{"left-pad":"1.0.0"}}' },
    {},
    /left-pad/,
  ],
  'an error at the start': [{ 'index.js': "throw new Error('no luck at the start')\n" }, {}, /no luck at the start/],
  'an entry point that is not there': [saying('x'), { entryPoint: 'goodbye' }, /goodbye/],
  'a source that is no zip': [Buffer.from('no zip'), {}, /zip/],
}
/** Invalid values by setting. */
const wrongSettings = {
  availableMemory: { availableMemory: '1T' },
  availableCpu: { availableCpu: '99' },
  timeoutSeconds: { timeoutSeconds: 3_601 },
  minInstanceCount: { minInstanceCount: 5, maxInstanceCount: 2 },
  maxInstanceRequestConcurrency: { maxInstanceRequestConcurrency: 5_000 },
  environmentVariables: { environmentVariables: { PORT: '1' } },
  nonsense: { nonsense: 1 },
}

statementsOf('G (running)', ['functions'], async ({ url, call: plainly, caller, holds, instance }) => {
  const call = caller('functions')
  const { headers: bearer } = instance.app.service('functions')
  const get = async (id: string) => (await call('GET', `/v2/${nameOf(id)}`)).json
  const ended = ({ json }: Answer) =>
    until(async () => {
      const { json: operation } = await call('GET', `/v2/${json?.name}`)
      return operation?.done === true && operation
    })
  const upload = async (files: Files | Uint8Array) => {
    const { uploadUrl, storageSource } = (await call('POST', `/v2/${parent}/functions:generateUploadUrl`, {})).json
    const body = new Uint8Array(files instanceof Uint8Array ? files : zipOf(files))
    await plainly(uploadUrl, { method: 'PUT', headers: { 'content-type': 'application/zip' }, body })
    return { storageSource }
  }
  const begin = async (id: string, files: Files | Uint8Array, more: object = {}, build: object = {}) => {
    const buildConfig = { runtime: 'nodejs24', entryPoint: 'hello', source: await upload(files), ...build }
    return call('POST', `/v2/${parent}/functions?functionId=${id}`, { buildConfig, ...more })
  }
  const deploy = async (...created: Parameters<typeof begin>) => ended(await begin(...created))
  const change = async (id: string, body: object) => ended(await call('PATCH', `/v2/${nameOf(id)}`, body))
  const replace = async (id: string, files: Files) => change(id, { buildConfig: { source: await upload(files) } })
  const remove = async (id: string) => ended(await call('DELETE', `/v2/${nameOf(id)}`))
  const uriOf = async (id: string): Promise<string> => (await get(id)).serviceConfig.uri
  const printed = async (id: string): Promise<string[]> =>
    (await call('GET', `/v2/${nameOf(id)}/logs?pageSize=1000`)).json.lines
      .filter(({ stream }: { stream: string }) => stream === 'stdout')
      .map(({ text }: { text: string }) => text)
  const publish = (topic: string, text: string) => {
    const message = { data: Buffer.from(text).toString('base64'), attributes: { size: 'xl' } }
    return call('POST', `/v1/projects/shop/topics/${topic}:publish`, { messages: [message] })
  }

  const secrets = { secretEnvironmentVariables: [{ key: 'SECRET', secret: 'password', version: 'latest' }] }
  const settings = { serviceConfig: { timeoutSeconds: 2, ...secrets } }
  const unlucky = await deploy('echo', echo, settings)
  holds('a missing secret fails the operation by its name', unlucky?.error?.message.includes('password'), unlucky)
  await setSecret(instance.development.node.platform, 'dev', { project: 'shop', name: 'password' }, 'sesame')
  const lucky = await change('echo', { description: 'again' })
  holds('a FAILED function becomes ACTIVE by an update', lucky?.response?.state === 'ACTIVE', lucky)
  holds('and has no stateMessages any more', lucky?.response && !lucky.response.stateMessages, lucky)
  const uri = await uriOf('echo')
  const ask = (path: string, init = {}) => plainly(uri + path, { headers: bearer, ...init })
  const put = await ask('/a/b?x=1', { method: 'PUT', json: { n: 1 }, headers: { ...bearer, 'x-in': 'v' } })
  holds('a function sees the method and the path', put.json?.method === 'PUT' && put.json.path === '/a/b', put.text)
  holds('a function sees the query', put.json?.query.x === '1', put.text)
  holds('a function sees the body', put.json?.body.n === 1, put.text)
  holds('a function sees the headers', put.json?.header === 'v', put.text)
  holds('a function does not see the token of its caller', put.json?.token === undefined, put.text)
  holds('a function has its secret', put.json?.secret === 'sesame', put.text)
  holds('the secret is not shown', !JSON.stringify(await get('echo')).includes('sesame'))
  holds('the status is what the function says', put.status === 418, put.status)
  holds('the headers are what the function says', put.headers.get('x-own') === 'yes')
  holds('an answer names its invocation', put.headers.get('function-execution-id'))
  holds(
    'what a function prints is in its log',
    await until(async () => (await printed('echo')).includes('printed PUT')),
  )
  holds('an answer may come in parts', (await ask('/stream')).text === 'ab')
  const slow = await ask('/late')
  holds('after timeoutSeconds a call is 504', slow.status === 504, slow.text)
  const thrown = await ask('/throw')
  holds('a function that throws returns 500', thrown.status === 500, thrown.text)
  const left = await ask('/exit')
  holds('a function that exits answers an error', left.status >= 500 && left.status < 600, left.text)
  holds('the next call is answered', await until(async () => (await ask('/')).status === 418))
  const outside = await ask(`/outside?${new URLSearchParams({ url, file: process.cwd() })}`)
  holds('a function does not reach the network', outside.json?.reached === false, outside.text)
  holds('a function does not see the files of the node', outside.json?.file === false, outside.text)
  const hasOwn = outside.json?.names.includes('SECRET') && !outside.json.names.includes('DATABASE_URL')
  holds('a function has variables of its own only', hasOwn, outside.text)

  const py = await deploy('python', python, {}, { runtime: 'python311' })
  const spoken = await plainly(`${py?.response?.serviceConfig.uri}/x/y?name=ada`, {
    ...{ method: 'POST', headers: { ...bearer, 'content-type': 'text/plain' }, body: 'BODY' },
  })
  holds('a Python function answers', spoken.text === 'POST /x/y ada BODY', spoken.text)
  const esm = await deploy('module', module)
  const imported = await plainly(esm?.response?.serviceConfig.uri, { headers: bearer })
  holds('a module of ECMAScript answers', imported.text === 'module', esm)

  for (const [index, [why, [files, build, named]]] of Object.entries(broken).entries()) {
    const id = `broken-${index}`
    const { error } = (await deploy(id, files, {}, build)) ?? {}
    holds(`${why} fails the operation by its name`, named.test(error?.message), error)
    const { state, stateMessages } = await get(id)
    holds(`${why} is told by the function, too`, state === 'FAILED' && named.test(stateMessages[0].message))
  }
  const { downloadUrl } = (await call('POST', `/v2/${nameOf('broken-0')}:generateDownloadUrl`, {})).json
  const source = await plainly(downloadUrl)
  holds(
    'the source of a FAILED function is downloaded',
    source.bytes.equals(zipOf(broken['a syntax error in Node']?.[0] as Files)),
  )
  for (const [setting, serviceConfig] of Object.entries(wrongSettings)) {
    const wrong = await begin('wrong', saying('x'), { serviceConfig })
    holds(`a wrong ${setting} is refused`, wrong.status === 400 && wrong.text.includes(setting), wrong.text)
  }

  await deploy('changing', saying('old'), { environment: 2 })
  const changing = await uriOf('changing')
  holds('an enumeration may be a number', (await get('changing')).environment === 'GEN_2')
  const seen = new Set<string>()
  let isOver = false
  const asking = Array.from({ length: 3 }, async () => {
    while (!isOver) {
      const { status, text } = await plainly(changing, { headers: bearer })
      seen.add(`${status} ${text}`)
      await sleep(10)
    }
  })
  await until(async () => seen.has('200 old'))
  await replace('changing', saying('new'))
  await until(async () => seen.has('200 new'))
  const failure = await replace('changing', { 'index.js': 'exports.hello = (' })
  isOver = true
  await Promise.all(asking)
  holds('an update fails no call', [...seen].sort().join() === '200 new,200 old', [...seen])
  holds(
    'an update that fails says so',
    failure?.error?.code === 3 && (await get('changing')).state === 'FAILED',
    failure,
  )
  const still = await plainly(changing, { headers: bearer })
  holds('after an update that fails the old revision serves', still.text === 'new', still.text)

  const filters = [{ attribute: 'size', value: 'xl' }]
  const filtered = await begin('filtered', listener, triggerOf('orders', { eventFilters: filters }))
  holds('a filter that no event matches is refused', filtered.status === 400 && filtered.text.includes('size'))
  const topics = [{ attribute: 'topic', value: 'returns' }]
  await deploy('other', framework, triggerOf('orders', { eventFilters: topics }))
  await deploy('taken', framework, triggerOf('orders', { eventFilters: [{ attribute: 'type', value: eventType }] }))
  const listening = await deploy('orders', listener, triggerOf('orders', { retryPolicy: 'RETRY_POLICY_RETRY' }))
  const { eventTrigger } = listening?.response ?? {}
  holds('its trigger is named after a function', eventTrigger?.trigger.endsWith('/triggers/orders'), eventTrigger)
  holds(
    'the event type and the topic are kept',
    eventTrigger?.eventType === eventType && /orders$/.test(eventTrigger.pubsubTopic),
  )
  holds('the retry policy is kept', eventTrigger?.retryPolicy === 'RETRY_POLICY_RETRY', eventTrigger)
  const trigger = (await get('other')).eventTrigger
  holds('the event filters are kept', trigger.eventFilters[0].value === 'returns', trigger)
  holds('an event is not retried by default', trigger.retryPolicy === 'RETRY_POLICY_DO_NOT_RETRY', trigger)
  const published = await publish('orders', 'one shirt')
  holds('a message is published', published.json?.messageIds.length === 1, published.text)
  const line = `${eventType} //pubsub.googleapis.com/projects/shop/topics/orders true one shirt xl`
  const attempt = (count: number) => async () => (await printed('orders')).includes(`attempt ${count} ${line}`)
  holds('a function takes it as a CloudEvent', await until(attempt(1)), await printed('orders'))
  const retried = until(async () => {
    await instance.app.clock.advance('11s')
    return attempt(2)()
  })
  holds('an event that failed comes again by RETRY_POLICY_RETRY', await retried, await printed('orders'))
  holds(
    'a function of the framework takes it, if its filter matches',
    await until(async () => (await printed('taken')).includes(`taken ${eventType}`)),
  )
  holds('a function whose filter does not match takes nothing', (await printed('other')).length === 0)

  const removed = await remove('orders')
  holds('a function with a trigger is deleted', removed?.done && !removed.error, removed)
  const later = await publish('orders', 'two shirts')
  const isHeard = await until(async () => (await printed('taken')).length > 1)
  holds('the trigger is updated: others still take messages', later.status === 200 && isHeard, later.text)

  await change('changing', { serviceConfig: { ingressSettings: 'ALLOW_INTERNAL_ONLY' } })
  await replace('changing', saying('new'))
  const inside = await until(async () => {
    const answer = await plainly(changing, { headers: bearer })
    return answer.status === 403 && answer
  })
  holds('ALLOW_INTERNAL_ONLY takes no call from outside', inside?.text.includes('INTERNAL_ONLY'), inside?.text)
  await deploy('secure', saying('x'), { serviceConfig: { securityLevel: 'SECURE_ALWAYS' } })
  const insecure = await plainly(await uriOf('secure'), { headers: bearer })
  holds('SECURE_ALWAYS takes no call without https', insecure.status === 403 && /https/.test(insecure.text))
  await deploy('pausing', pausing)
  const running = await fetch(await uriOf('pausing'), { headers: bearer }) // the response has started
  await remove('pausing')
  holds('a call that is running while its function is deleted ends', (await running.text()) === 'begun, done')
})
