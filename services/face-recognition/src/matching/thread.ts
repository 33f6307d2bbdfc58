import { serve } from '@icosa/compute/serve'
import { groups } from './groups.ts'
import { type Near, nearest, type Search } from './nearest.ts'

export type Task =
  | ({ readonly is: 'search' } & Search)
  | { readonly is: 'group'; readonly descriptors: Float32Array; readonly within: number }

export type Result = readonly Near[] | readonly (readonly number[])[]

await serve(
  () =>
    (task: Task): Result =>
      task.is === 'search' ? nearest(task) : groups(task.descriptors, task.within),
)
