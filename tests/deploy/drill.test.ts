import { execFile } from 'node:child_process'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'
import { withPlatform } from '../../apps/server/src/node.ts'
import { allServices } from '../../apps/server/src/services.ts'
import { operatorOf } from '../../apps/server/src/testing/operator.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

test.skipIf(!process.env.NIGHTLY)('the drill of docs/operate/backup.md restores a database that opens', async () => {
  const page = await readFile(join(root, 'docs/operate/backup.md'), 'utf8')
  const [, commands = ''] = /\*\*A drill\*\*.*?```sh\n(.*?)```/s.exec(page) ?? []
  expect(commands).toContain('pg_restore')
  await using database = await createTestDatabase(withPlatform(await allServices(), 'system'))
  await using folder = await mkdtempDisposable(join(tmpdir(), 'icosa-drill-'))
  const name = `${new URL(database.url).pathname.slice(1)}_drill`
  const env = {
    ...process.env,
    PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
    DATABASE_URL: database.url,
    DRILL_URL: Object.assign(new URL(database.url), { pathname: name }).href,
    ICOSA_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  await using _ = {
    [Symbol.asyncDispose]: async () =>
      void (await run('psql', ['-qc', `drop database if exists ${name}`, database.url])),
  }
  {
    await using operator = await operatorOf(database.url)
    await operator.icosa('keys', 'create', '--tenant', 'acme', '--signing') // a secret that the master key seals
  }
  const script = commands.replaceAll('icosa_drill', name)
  const { stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', script], { env, cwd: folder.path })
  expect(stderr).toContain('The database is up to date.')
  expect(stdout).toMatch(/^acme\b/m)
})
