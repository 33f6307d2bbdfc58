import { openPool } from '../index.ts'
import type { Task } from './module.ts'

/** A node to be killed while its worker hangs. Reports the worker's PID. */
const pool = openPool<Task, { pid: number }>({
  name: 'test',
  module: new URL('./module.ts', import.meta.url),
  as: 'processes',
})
const { pid } = await pool.run('ada', { remember: 0 })
void pool.run('ada', { hang: true }).catch(() => {})
process.send?.(pid)
