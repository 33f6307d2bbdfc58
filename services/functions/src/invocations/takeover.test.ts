import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { at, everybody, startFunctions } from '../testing/app.ts'

const seconds = sized(4, 60)
const callsPerSecond = 100
const changes = 2

const saying = (word: string) => ({ 'index.js': `exports.hello = (request, response) => response.send('${word}')\n` })

test(`${callsPerSecond} calls a second for ${seconds} s while the function is changed, ${changes} times over: none fails`, async () => {
  await using app = await startFunctions()
  const acme = await app.tenant()
  await acme.deploy('changing', saying('0'))
  await acme.setIamPolicy({ params: at('changing'), body: everybody })
  const uri = (await acme.getFunction({ params: at('changing') })).body.serviceConfig?.uri ?? ''
  const agent = new Agent({ keepAlive: true })
  using _ = { [Symbol.dispose]: () => agent.destroy() }
  const answer = () =>
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
  await expect.poll(answer).toBe('200 0')
  for (let change = 1; change <= changes; change++) {
    const buildConfig = { source: { storageSource: await acme.upload(saying(`${change}`)) } }
    const answers: Promise<string>[] = []
    const changing = sleep((seconds * 1_000) / 4).then(async () =>
      acme.ended((await acme.updateFunction({ params: at('changing'), body: { buildConfig } })).body),
    )
    const began = performance.now()
    let last = ''
    // On a busy machine the change may take longer than the calls were to last: then they go on until it is there.
    const isOver = () => last === `200 ${change}` || answers.length > 50 * seconds * callsPerSecond
    while (performance.now() - began < seconds * 1_000 || !isOver()) {
      await sleep(Math.max(0, began + (answers.length * 1_000) / callsPerSecond - performance.now()))
      answers.push(
        answer().then((said) => {
          last = said
          return said
        }),
      )
    }
    expect(await changing).toMatchObject({ response: { state: 'ACTIVE' } })
    const seen = new Set(await Promise.all(answers))
    console.log(`${answers.length} calls in ${((performance.now() - began) / 1_000).toFixed(0)} s, answered by both`)
    expect([...seen].sort()).toEqual([`200 ${change - 1}`, `200 ${change}`])
  }
})
