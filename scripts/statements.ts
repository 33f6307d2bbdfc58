// `npm run statements`: checks the statements of the specification against a running node, service by service (or
// those of the given paths), and counts how many hold.
import { startVitest } from 'vitest/node'

const totals = { hold: 0, unbuilt: 0, broken: 0 }
const figures = /: (?<hold>\d+) hold, (?<unbuilt>\d+) are 501 by name, (?<broken>\d+) do not hold/g

const named = process.argv.slice(2)
const vitest = await startVitest(named.length > 0 ? named : ['tests/statements'], {
  run: true,
  onConsoleLog(log) {
    for (const { groups = {} } of log.matchAll(figures))
      for (const name of ['hold', 'unbuilt', 'broken'] as const) totals[name] += Number(groups[name])
  },
})
const isGreen = vitest.state.getTestModules().every((module) => module.ok())
await vitest.close()
console.log(`${totals.hold} hold, ${totals.unbuilt} are 501 by name, ${totals.broken} do not hold`)
process.exit(isGreen && totals.broken === 0 ? 0 : 1)
