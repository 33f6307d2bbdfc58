import { randomBytes } from 'node:crypto'
import { freePort } from '@icosa/testing'
import { expect, onTestFinished, test } from 'vitest'
import { findEngine } from './engine.ts'

// BASE and POSTGRES_IMAGE, from `scripts/image base`, replace the registry where it is unreachable; CA is the network's own
// certificate authority. IMAGE is tested instead of a newly built image.
const { IMAGE: tried = 'icosa' } = process.env
const project = `icosa-try-${process.pid}`
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const program = findEngine(project, {
  ICOSA_MASTER_KEY: randomBytes(32).toString('base64'),
  ICOSA_PUBLIC_URL: url,
  ICOSA_PORT: String(port),
})
const reason = process.env.NIGHTLY ? (typeof program === 'string' ? program : undefined) : 'it takes minutes: NIGHTLY=1'

interface Examined {
  readonly service: string
  readonly need: string
  readonly isThere: boolean
  readonly isOptional: boolean
  readonly detail: string
}
const missing = (json: string) =>
  (JSON.parse(json) as Examined[])
    .filter(({ isThere, isOptional }) => !isThere && !isOptional)
    .map(({ service, need, detail }) => `${service}: ${need}: ${detail}`)

/** Seconds until the condition is true. */
async function secondsUntil(isSo: () => Promise<boolean>): Promise<string> {
  const began = performance.now()
  await expect.poll(isSo, { timeout: 300_000, interval: 50 }).toBe(true)
  return ((performance.now() - began) / 1_000).toFixed(1)
}

test.skipIf(reason !== undefined)(
  `the image can be built, is complete, starts, and runs a job under compose${reason ? ` (not now: ${reason})` : ''}`,
  async () => {
    if (typeof program === 'string') throw new Error(program)
    const { compose, engine, image, isHealthy, nameOf } = program
    if (process.env.IMAGE === undefined)
      console.log(await image('build').then((output) => output.slice(output.indexOf('built by'))))

    const [own] = JSON.parse(await engine('image', 'inspect', tried))
    expect(own.Config).toMatchObject({ User: 'node', Entrypoint: ['tini', '--', 'icosa'], Cmd: ['serve'] })
    expect(own.Healthcheck ?? own.Config.Healthcheck, 'only one image format keeps health checks').toBeDefined()

    onTestFinished(async () => {
      await compose('down', '-v')
      // Older versions of podman-compose leave volumes that containers shared.
      for (const name of ['data', 'backup'])
        await engine('volume', 'rm', '--force', `${project}_${name}`).catch(() => {})
    })
    await compose('up', '-d', 'database', 'tenants')
    for (const service of ['database', 'tenants']) await secondsUntil(() => isHealthy(nameOf(service)))
    await compose('run', '--rm', '--no-deps', '-T', 'migrate')
    await compose('up', '-d', 'api', 'worker')
    await secondsUntil(() =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const readyAt = Date.now()
    const [{ State: started }] = JSON.parse(await engine('inspect', nameOf('api')))
    const ready = ((readyAt - Date.parse(started.StartedAt)) / 1_000).toFixed(1)
    await secondsUntil(() => isHealthy(nameOf('api')))
    await secondsUntil(() => isHealthy(nameOf('worker')))
    console.log(`ready ${ready} s after its container had started`)

    const icosa = (...words: string[]) => engine('exec', nameOf('api'), 'icosa', ...words)
    expect(await engine('exec', nameOf('api'), 'id', '-un')).toBe('node')
    // Containers have no user namespaces: sandboxes require root there, and report it.
    const asNode = missing(await icosa('doctor', '--json').catch((error: Error) => jsonIn(error.message)))
    expect(asNode.filter((one) => !/sandbox/.test(one))).toEqual([])

    await icosa('subscriptions', 'bind', 'main', '--tenant', 'acme')
    const authorization = `Bearer ${await icosa('token', '--tenant', 'acme')}`
    const at = `${url}/sql-databases/subscriptions/main/resourceGroups/web/providers/Vendor.Sql/servers/eu/databases/orders`
    const version = 'api-version=2017-10-01-preview'
    const created = await fetch(`${at}?${version}`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ location: 'westeurope', sku: { name: 'S0' } }),
    })
    expect(created.status, await created.text()).toBe(201)
    const ask = () => fetch(`${at}/listCredentials?${version}`, { method: 'POST', headers: { authorization } })
    const done = await secondsUntil(async () => (await ask()).ok)
    const { connectionString } = (await (await ask()).json()) as { connectionString: string }
    expect(await engine('exec', nameOf('tenants'), 'psql', connectionString, '-Atc', 'select 6 * 7')).toBe('42')
    const dump = await engine('exec', nameOf('worker'), 'pg_dump', connectionString)
    expect(dump, 'pg_dump of the image supports the server').toContain('PostgreSQL database dump complete')
    console.log(`a database made by the worker ${done} s after it was asked for, and signed in to`)

    for (const service of ['api', 'worker']) {
      await engine('stop', '--time', '30', nameOf(service))
      const [{ State }] = JSON.parse(await engine('inspect', nameOf(service)))
      expect(State.ExitCode, `${service} shut down gracefully`).toBe(0)
    }
  },
)

const jsonIn = (text: string) => text.slice(text.indexOf('['), text.lastIndexOf(']') + 1)
