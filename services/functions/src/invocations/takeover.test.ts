import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { at, publicPolicy, startFunctions } from '../testing/app.ts'

const seconds = sized(4, 60)
const callsPerSecond = 100
const changes = 2

const returning = (word: string) => ({
  'index.js': `exports.hello = (request, response) => response.send('${word}')\n`,
})

test(`${callsPerSecond} calls per second for ${seconds} s do not fail while the function is updated ${changes} times`, async () => {
  await using app = await startFunctions()
  const acme = await app.tenant()
  await acme.deploy('changing', returning('0'))
  await acme.setIamPolicy({ params: at('changing'), body: publicPolicy })
  const uri = (await acme.getFunction({ params: at('changing') })).body.serviceConfig?.uri ?? ''
  const agent = new Agent({ keepAlive: true })
  using _ = { [Symbol.dispose]: () => agent.destroy() }
  const callOnce = () =>
    new Promise<string>((resolve) => {
      request(uri, { agent }, async (reply) => {
        const text = await reply.toArray().then(
          (chunks) => Buffer.concat(chunks).toString(),
          (error) => String(error),
        )
        resolve(`${reply.statusCode} ${text}`)
      })
        .on('error', (error) => resolve(error.message))
        .end()
    })
  await expect.poll(callOnce).toBe('200 0')
  for (let change = 1; change <= changes; change++) {
    const buildConfig = { source: { storageSource: await acme.upload(returning(`${change}`)) } }
    const responses: Promise<string>[] = []
    const changing = sleep((seconds * 1_000) / 4).then(async () =>
      acme.waitFor((await acme.updateFunction({ params: at('changing'), body: { buildConfig } })).body),
    )
    const began = performance.now()
    let last = ''
    // On a busy machine the update may take longer: then the calls continue until it is done.
    const isDone = () => last === `200 ${change}` || responses.length > 50 * seconds * callsPerSecond
    while (performance.now() - began < seconds * 1_000 || !isDone()) {
      await sleep(Math.max(0, began + (responses.length * 1_000) / callsPerSecond - performance.now()))
      responses.push(
        callOnce().then((text) => {
          last = text
          return text
        }),
      )
    }
    expect(await changing).toMatchObject({ response: { state: 'ACTIVE' } })
    const distinct = new Set(await Promise.all(responses))
    console.log(`${responses.length} calls in ${((performance.now() - began) / 1_000).toFixed(0)} s, answered by both`)
    expect([...distinct].sort()).toEqual([`200 ${change - 1}`, `200 ${change}`])
  }
})
