/** `npm run fuzz -- NAME --seconds N --keep`: one target, or all of them. */
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.ts'
import { targetNames } from './target.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '60' }, keep: { type: 'boolean', default: false } },
})
console.log('| target | executions | seconds | findings |\n|---|---|---|---|')
for (const name of positionals.length > 0 ? positionals : targetNames) {
  const { executions, seconds, findings } = await fuzz(name, Number(values.seconds), { keepCorpus: values.keep })
  console.log(`| ${name} | ${executions.toLocaleString('en')} | ${seconds} | ${findings.length} |`)
  for (const finding of findings) console.log(`  ${finding}`)
  if (findings.length > 0) process.exitCode = 1
}
