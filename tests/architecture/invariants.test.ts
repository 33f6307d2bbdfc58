import { DatabaseUnavailable, Failure } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { sources, textOf } from './sources.ts'

const own = sources.filter((file) => !/\.test\.ts$|\/testing\/|^packages\/testing\/|\/build-[\w-]+\.ts$/.test(file))

/** Jobs that ignore failures of any kind, and why that loses nothing. */
const ignoringFailures: Readonly<Record<string, string>> = {
  'services/functions/src/deploy/jobs.ts': 'the deployment has already failed: this is its message',
  'services/functions/src/deploy/warm.ts':
    'a revision that does not start keeps no other from starting, and comes again',
  'services/sql-virtual-machines/src/provisioning/jobs.ts': 'throws it again unless the port was taken',
}

test('jobs detect refusals by kind or isRefusal, never mistaking an outage or overload for one', () => {
  expect(new DatabaseUnavailable('away') instanceof Failure).toBe(false)
  const withJobs = own.filter((file) => /\bjob(<[^\n]*>)?\(/.test(textOf(file)) && !file.startsWith('packages/kernel/'))
  expect(withJobs.length).toBeGreaterThan(20)
  const byKind = /\b(\w+) instanceof Failure\)? (&&|\|\|) \1\.(kind|code)\b/
  const wrong = withJobs.filter((file) =>
    textOf(file)
      .split('\n')
      .some((line) => line.includes('instanceof Failure') && !byKind.test(line)),
  )
  expect(wrong.toSorted()).toEqual(Object.keys(ignoringFailures))
})

test('code that sends COMMIT checks the command tag, which may be ROLLBACK', () => {
  const committing = own.filter((file) => /(query|send)\(\s*['"`]?commit\b/i.test(textOf(file)))
  expect(committing.length).toBeGreaterThan(2)
  const looking = /assertCommitted\(await [\w.]+\(\s*['"`]?commit\b/i
  expect(committing.filter((file) => !looking.test(textOf(file)))).toEqual([])
})

/** Sources that write files without tenant data. */
const publicFiles: Readonly<Record<string, string>> = {
  'apps/server/src/commands/reference/generated.ts': 'pages of the project itself',
  'apps/server/src/commands/reference/openapi.ts': 'pages of the project itself',
  'apps/server/src/dev/snapshots/mirror.ts': 'gives every file and folder the mode of the original',
  'apps/server/src/dev/tls.ts': 'the certificate of the authority, which browsers are given',
  'packages/sandbox/src/cgroup.ts': 'settings of the kernel',
  'packages/sandbox/src/oci.ts': 'an empty folder',
  'services/face-recognition/src/commands/faces.ts': 'where the operator says',
  'services/face-recognition/src/engine/weights/models.ts': 'weights, the same for everyone',
  'services/functions/src/instances/artifacts/artifacts.ts': 'the size of an artifact',
  'services/functions/src/instances/instances.ts': 'sets the mode after it',
  'services/robotics-statistics/src/sources/write.ts': 'where the operator says',
  'services/sql-virtual-machines/src/hosting/initialize.ts': 'appends to a file that initdb has made',
  'services/unpack-analysis/src/commands/unpack.ts': 'where the operator says',
}

test('code that writes a file or creates a folder sets its mode', () => {
  const writing =
    /(?<!\.)\b(mkdir|mkdirSync|writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream)\((?!\))/g
  const unsaid = own.filter((file) => {
    const text = textOf(file)
    const calls = [...text.matchAll(writing)].map(({ index }) => text.slice(index, text.indexOf('\n', index)))
    return calls.some((call) => !/\b(mode|privateFile|privateFolder)\b/.test(call))
  })
  expect(unsaid.toSorted()).toEqual(Object.keys(publicFiles))
})
