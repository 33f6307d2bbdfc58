import { expect, test } from 'vitest'
import { callersOf, newApp, start } from '../testing/app.ts'

test('phrase lists are added in both spellings, and deactivated; relations are added, replaced and deleted', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const at = await newApp(calls)
  const { body: id } = await calls.phraseLists.add({
    params: at,
    body: { Name: 'moves', Phrases: 'fly,sail', isExchangeable: false } as never,
  })
  const params = { ...at, phraselistId: String(id) }
  const expected = {
    id,
    name: 'moves',
    phrases: 'fly,sail',
    isExchangeable: false,
    enabledForAllModels: true,
    isActive: true,
  }
  expect((await calls.phraseLists.get({ params })).body).toEqual(expected)
  await calls.phraseLists.update({ params, body: { IsActive: false } as never })
  await calls.phraseLists.update({ params, body: { Pattern: 'walk', Mode: true } as never })
  await calls.phraseLists.update({ params, body: { Mode: 'NonExchangeable' } as never })
  await calls.phraseLists.update({ params } as never)
  expect((await calls.phraseLists.get({ params })).body).toMatchObject({ phrases: 'walk', isExchangeable: false })
  await calls.phraseLists.update({ params, body: { Mode: 'Exchangeable' } as never })
  for (const [field, value] of Object.entries({ Mode: 1, Pattern: [], isActive: 'no', zzz: 1 })) {
    const wrong = calls.phraseLists.update({ params, body: { [field]: value } as never })
    await expect(wrong).rejects.toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(`body/${field} `) } },
    })
  }
  const after = { ...expected, phrases: 'walk', isActive: false, isExchangeable: true }
  expect((await calls.phraseLists.listFeatures({ params: at })).body).toEqual({
    phraselistFeatures: [after],
    patternFeatures: [],
  })

  const { body: intentId } = await calls.intents.add({ params: at, body: { name: 'Go' } })
  const { body: entityId } = await calls.entities.add({ params: at, body: { name: 'City' } })
  for (const [relations, owner] of [
    [calls.intentFeatures, { ...at, intentId, entityId }],
    [calls.entityFeatures, { ...at, intentId, entityId }],
  ] as const) {
    await relations.add({ params: owner, body: { featureName: 'moves', isRequired: true } })
    await expect(relations.add({ params: owner, body: { featureName: 'moves' } })).rejects.toMatchObject({
      status: 409,
    })
    await expect(relations.add({ params: owner, body: { featureName: 'none' } })).rejects.toMatchObject({ status: 400 })
    expect((await relations.list({ params: owner })).body).toEqual([{ featureName: 'moves', isRequired: true }])
    await relations.delete({ params: owner, body: { featureName: 'moves' } })
    expect((await relations.list({ params: owner })).body).toEqual([])
  }
  await calls.intentFeatures.replace({
    params: { ...at, intentId },
    body: [{ featureName: 'moves' }, { modelName: 'City' }],
  })
  await calls.phraseLists.update({ params, body: { name: 'ways' } })
  const list = () => calls.intentFeatures.list({ params: { ...at, intentId } })
  expect((await list()).body).toEqual([{ featureName: 'ways' }, { modelName: 'City' }])
  await calls.phraseLists.delete({ params })
  await calls.entities.delete({ params: { ...at, entityId } })
  expect((await list()).body).toEqual([])
})
