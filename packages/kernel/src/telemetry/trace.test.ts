import { example, startTestApp } from '@icosa/testing'
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { expect, test } from 'vitest'

test('requests and jobs are spans named by their operation, once an SDK is there', async () => {
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  await using app = await startTestApp(example)
  const headers = { 'x-api-key': await app.key('ada'), 'content-type': 'application/json' }
  const made = await fetch(`${app.url}/example/notes`, { method: 'POST', headers, body: '{"title":"t","text":""}' })
  const { id } = (await made.json()) as { id: string }
  await fetch(`${app.url}/example/notes/${id}/publish`, { method: 'POST', headers })
  await fetch(`${app.url}/example/notes/unknown`, { headers })
  await app.jobs.drain()

  const spans = exporter.getFinishedSpans().map(({ name, status }) => `${name} ${status.code}`)
  expect(spans).toEqual(
    expect.arrayContaining([
      'example:createNote 0',
      'example:publishNote 0', // the request, and the job of the same name
      'example:getNote 2',
    ]),
  )
  expect(spans.filter((span) => span === 'example:publishNote 0')).toHaveLength(2)
})
