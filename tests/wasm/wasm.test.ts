import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { assembleAll } from '../../scripts/wasm.ts'

test('committed WebAssembly is what its text assembles to', async () => {
  const modules = await assembleAll()
  expect(modules.size).toBeGreaterThan(1)
  for (const [file, binary] of modules)
    expect(readFileSync(file).equals(binary), `${file}: run \`npm run wasm\``).toBe(true)
})
