#!/usr/bin/env node
import { endWithReader, remark } from '@icosa/module'
import { main } from './main.ts'

endWithReader()
try {
  await main(process.argv.slice(2), process.env)
} catch (error) {
  const { advice } = await import('./advice.ts')
  remark(`icosa: ${advice(error as Error) ?? (error as Error).stack}`)
  process.exitCode = 1
}
