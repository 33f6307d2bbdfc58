import type { Job, Service } from '@icosa/kernel'
import { deleteFunction, type Jobs, refuseExisting, retire } from './deploy/jobs.ts'
import { sweepBlobs } from './deploy/sweep.ts'
import { keepWarm } from './deploy/warm.ts'
import { fanOut } from './events/fan-out.ts'
import { deliver } from './events/jobs.ts'
import { receiveEvents } from './events/receive.ts'
import type { ServiceRuntime } from './runtime.ts'
import { sweepUploads } from './source/jobs.ts'

const eventJobs = [deliver, fanOut, receiveEvents]
const upkeep = [keepWarm, sweepBlobs, sweepUploads]

export const jobsWith = ({ deploy }: Jobs): readonly Job<never, ServiceRuntime>[] => [
  ...eventJobs,
  ...upkeep,
  ...[deploy, retire, deleteFunction, refuseExisting],
]

export const schedules: NonNullable<Service<ServiceRuntime>['schedules']> = [
  { job: sweepUploads, everyMs: 3_600_000 },
  { job: keepWarm, everyMs: 60_000 },
]
