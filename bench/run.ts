/**
 * `npm run bench -- [SUBJECT | SUBJECT/PROGRAM]…` runs bench programs sequentially, all of them by default, stores
 * their figures in docs/benchmarks/results and writes the pages. Each program gets its own PostgreSQL in memory unless
 * DATABASE_URL is set.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { writePages } from './pages.ts'
import { subjects } from './subjects.ts'

const programs = Object.entries(subjects).flatMap(([subject, { programs }]) =>
  Object.entries(programs).map(([name, program]) => ({ subject, name: `${subject}/${name}`, ...program })),
)
const requested = process.argv.slice(2)
const unknown = requested.filter((one) => !programs.some(({ subject, name }) => [subject, name].includes(one)))
if (unknown.length > 0) {
  const names = programs.map(({ name }) => `  ${name}`).join('\n')
  console.error(`Nothing is called ${unknown.join(' or ')}. Choose a subject or one of its programs:\n${names}`)
  process.exit(2)
}

const failed: string[] = []
for (const { subject, name, title, command, settings } of programs) {
  if (requested.length > 0 && !requested.includes(subject) && !requested.includes(name)) continue
  console.log(`\n# ${name}: ${title}`)
  const run = [...(process.env.DATABASE_URL ? [] : ['scripts/postgres', 'run']), process.execPath, ...command]
  const { status } = spawnSync(run[0] as string, run.slice(1), {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...settings, ...process.env, BENCH_RECORD: name },
    stdio: 'inherit',
  })
  if (status !== 0) failed.push(name)
}
writePages()
if (failed.length > 0) console.error(`\nFailed, or missed a goal: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
