import { readFileSync } from 'node:fs'
import { serve } from '@icosa/compute/serve'
import start from '@virustotal/yara-x'
import { apply } from './apply.ts'
import { loadBaseline } from './baseline.ts'
import { generate } from './generate.ts'
import type { Task } from './tasks.ts'

await serve(async () => {
  const code = new URL('yara_x_js_bg.wasm', import.meta.resolve('@virustotal/yara-x'))
  await start({ module_or_path: readFileSync(code) })
  const baseline = loadBaseline()
  return (task: Task) => (task.kind === 'apply' ? apply(task.sources, task.files) : generate(task, baseline))
})
