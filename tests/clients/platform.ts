import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Dev, startDevAs } from '../../apps/server/src/testing/dev.ts'
import { type Client, clients } from './clients.ts'
import type { Report } from './results.ts'

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))

export const install = (packages: readonly string[]) =>
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { stdio: 'ignore' })

/** What programs of clients need to know of the platform. */
export const environmentOf = ({ ready, folder }: Dev): NodeJS.ProcessEnv => ({
  ...process.env,
  PYTHONDONTWRITEBYTECODE: '1',
  ICOSA_URL: ready.url.replace('http:', 'https:'),
  ICOSA_KEY: 'icosa-dev-key',
  ICOSA_KEY_ID: 'key_dev',
  ICOSA_DATA: folder,
  ICOSA_COMMAND: fileURLToPath(new URL('../../apps/server/bin/icosa.js', import.meta.url)),
  REQUESTS_CA_BUNDLE: join(folder, 'tls/ca.pem'),
  AWS_CA_BUNDLE: join(folder, 'tls/ca.pem'),
  SSL_CERT_FILE: join(folder, 'tls/ca.pem'),
  AZURE_CONFIG_DIR: join(folder, 'azure'),
})

interface Output {
  readonly stdout: string
  readonly stderr: string
}

/** A program throws where a step fails; its version is that of its first package. */
function journeyReport(service: string, [name = '']: readonly string[], { stdout, stderr }: Output): Report {
  const version = execFileSync('dpkg-query', ['-W', '-f', `\${Version}`, name], { encoding: 'utf8' })
  const outcome = stdout.trim() === 'ok' ? 'success' : 'wrong'
  return { version, calls: [{ service, operation: 'journey', input: 'journey', outcome, detail: stderr }] }
}

/** Runs clients one after the other, each on an empty platform. */
export async function* runClients(names: readonly string[]): AsyncGenerator<readonly [string, Report]> {
  const chosen = names.map((name) => [name, clients[name] as Client] as const)
  install([...new Set(chosen.flatMap(([, { packages }]) => packages))])
  // Restores need an archive.
  await using dev = await startDevAs({ settings: { ICOSA_SQL_RETENTION_DAYS: '7' } }, '--tls')
  for (const [name, { command, journey, packages }] of chosen) {
    await dev.icosa('reset', '--yes')
    const [program, ...words] = command
    const options = { cwd: here, env: environmentOf(dev), timeout: 900_000, maxBuffer: 2 ** 28 }
    const { stdout, stderr } = await run(program, words, options).catch((error) => error as Output)
    yield [name, journey === undefined ? JSON.parse(stdout) : journeyReport(journey, packages, { stdout, stderr })]
  }
}
