export * from './amqp.ts'
export * from './fake-broker.ts'
export * from './nats.ts'
