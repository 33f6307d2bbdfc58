import { type Context, created, implement, notFound, ok, type ReadingContext } from '@icosa/kernel'
import { listReaders } from '../catalog/model-store.ts'
import { writeContextOf } from '../catalog/write-model.ts'
import type { EventDetectionSettings } from '../settings.ts'
import { arnOfResource, type Owner, ownerIn } from '../shapes/owner.ts'
import { seconds } from '../shapes/time.ts'
import { type InputConfiguration, inputs } from './contract.ts'
import * as store from './store.ts'
import { createInput, deleteInput, updateInput } from './write.ts'

export const inputOperations = ({ region }: EventDetectionSettings) => {
  const ownerOf = ownerIn(region)
  const writeContext = (context: Context) => writeContextOf(context, ownerOf(context))

  return implement(inputs, {
    async CreateInput({ body }, context) {
      const input = await createInput(writeContext(context), body)
      return created({ inputConfiguration: configurationOf(ownerOf(context), input) })
    },

    async DescribeInput({ params }, context) {
      const input = await findInput(context, params.inputName)
      const inputConfiguration = configurationOf(ownerOf(context), input)
      return ok({ input: { inputConfiguration, inputDefinition: input.definition } })
    },

    async UpdateInput({ params: { inputName }, body }, context) {
      const input = await updateInput(writeContext(context), inputName, body)
      return ok({ inputConfiguration: configurationOf(ownerOf(context), input) })
    },

    async DeleteInput({ params: { inputName } }, context) {
      await deleteInput(writeContext(context), inputName)
      return ok({})
    },

    async ListInputs({ query }, context) {
      const { items, next } = await store.list(context.db, context.caller.tenant, query)
      return ok({ inputSummaries: items.map((input) => configurationOf(ownerOf(context), input)) }, { next })
    },

    async ListInputRoutings({ body: { inputIdentifier, maxResults = 100, nextToken } }, context) {
      const { inputName = '' } = inputIdentifier.iotEventsInputIdentifier ?? {}
      await findInput(context, inputName)
      const { items, next } = await listReaders(context.db, context.caller.tenant, inputName, { maxResults, nextToken })
      const routedResources = items.map(({ kind, name }) => ({
        name,
        arn: arnOfResource(ownerOf(context), kind, name),
      }))
      return ok({ routedResources }, { next })
    },
  })
}

async function findInput({ db, caller }: ReadingContext, name: string): Promise<store.Input> {
  return (await store.find(db, caller.tenant, name)) ?? notFound('input', name)
}

function configurationOf(owner: Owner, { name, description, createdAt, updatedAt }: store.Input): InputConfiguration {
  return {
    inputName: name,
    ...(description !== null && { inputDescription: description }),
    inputArn: arnOfResource(owner, 'input', name),
    creationTime: seconds(createdAt),
    lastUpdateTime: seconds(updatedAt),
    status: 'ACTIVE',
  }
}
