/** `npm run mutation -- NAME`: mutates the files of one group, or of all, and counts the mutants killed by its tests. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { type GroupName, groups } from './groups.ts'

const minScore = 85
/** After this time, a process blocked by a mutant is killed; the next one continues with the other mutants. */
const blockedMs = 180_000

interface Result {
  readonly fileName: string
  readonly location: { readonly start: { readonly line: number } }
  readonly mutatorName: string
  readonly replacement: string
  readonly status: 'Killed' | 'Survived' | 'Timeout' | 'NoCoverage' | 'CompileError'
}

const isSurvivor = ({ status }: Result) => status === 'Survived' || status === 'NoCoverage'
const read = (report: string): Result[] => JSON.parse(readFileSync(report, 'utf8'))

/** False if a mutant blocked it. */
async function runOnce(name: GroupName, report: string, every: string): Promise<boolean> {
  const child = spawn('vitest', ['run', '--config', 'tests/mutation/vitest.config.ts'], {
    stdio: 'inherit',
    detached: true,
    env: { ...process.env, MUTATION_GROUP: name, MUTATION_REPORT: report, MUTATION_EVERY: every },
  })
  const kill = () => process.kill(-(child.pid as number), 'SIGKILL')
  const stop = () => {
    kill()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
  let isBlocked = false
  let movedAt = Date.now()
  const watch = setInterval(() => {
    movedAt = Math.max(movedAt, statSync(report).mtimeMs)
    isBlocked = Date.now() - movedAt > blockedMs && read(report).length > 0
    if (isBlocked) kill()
  }, 5_000)
  const [code] = await once(child, 'exit')
  clearInterval(watch)
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop)
  if (!isBlocked && code !== 0) throw new Error(`The tests of '${name}' could not be run.`)
  return !isBlocked
}

async function run(name: GroupName, { survivors: onlySurvivors, every }: typeof values): Promise<string> {
  const report = `.icosa/mutation/${name}.json`
  mkdirSync('.icosa/mutation', { recursive: true })
  const before = onlySurvivors ? read(report).filter((one) => !isSurvivor(one)) : []
  writeFileSync(report, JSON.stringify(before))
  const began = performance.now()
  while (!(await runOnce(name, report, every)));
  const results = read(report).filter(({ status }) => status !== 'CompileError')
  const survivors = results.filter(isSurvivor)
  for (const { fileName, location, status, mutatorName, replacement } of survivors)
    console.log(`${relative('.', fileName)}:${location.start.line + 1} ${status} ${mutatorName} ${replacement}`)
  const killed = results.length - survivors.length
  const score = (100 * killed) / results.length
  if (!(score >= minScore)) process.exitCode = 1
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  return `| ${name} | ${results.length} | ${killed} | ${survivors.length} | ${score.toFixed(1)} % | ${minutes} |`
}

const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: { survivors: { type: 'boolean', default: false }, every: { type: 'string', default: '1' } },
})
const unknown = names.find((name) => !(name in groups))
if (unknown !== undefined) {
  console.error(`There is no group '${unknown}': ${Object.keys(groups).join(', ')}.`)
  process.exit(2)
}
const rows: string[] = []
for (const name of (names.length > 0 ? names : Object.keys(groups)) as GroupName[]) rows.push(await run(name, values))
console.log(
  ['| group | mutants | killed | survived | score | minutes |', '|---|---|---|---|---|---|', ...rows].join('\n'),
)
