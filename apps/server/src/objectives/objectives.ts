import { type Static, Type } from '@icosa/contract'

const services = Type.Optional(
  Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, description: 'Default: all others.' }),
)
/** A share of requests. */
const target = Type.Number({ minimum: 0.5, maximum: 0.99999 })

/** What an installation promises, over a window of 30 days. */
export const Objectives = Type.Object({
  /** The share of requests that are not answered with 5xx. */
  availability: Type.Array(Type.Object({ services, target }), { minItems: 1 }),
  /** The share of requests that are answered in time. `seconds` is a bound of the histogram's buckets. */
  latency: Type.Array(Type.Object({ services, target, seconds: Type.Number() }), {
    minItems: 1,
  }),
})
export type Objectives = Static<typeof Objectives>

/** Services that compute before they answer, or take files. */
const slow = ['contribution-collection', 'face-recognition', 'functions', 'unpack-analysis', 'voice-messaging']

export const defaultObjectives: Objectives = {
  availability: [{ target: 0.999 }],
  latency: [
    { services: slow, target: 0.99, seconds: 5 },
    { target: 0.99, seconds: 0.5 },
  ],
}

/** Operations whose status and duration are those of a tenant's program, or of a stream. */
export const excluded = ['invokeFunction', 'watchRequests']
