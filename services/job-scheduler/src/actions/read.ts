import { invalid } from '@icosa/kernel'
import { canonical } from '../spelling/canonical.ts'
import { type Action, actionTypes, type SimpleAction } from './action.ts'
import type { ActionInput, SimpleActionInput } from './contract.ts'
import { readBusMessage, readQueueMessage } from './read-message.ts'
import { readRequest } from './read-request.ts'
import { readRetryPolicy } from './retry.ts'

/** Parses an action. Members for other action types are ignored. */
export function readAction(input: ActionInput, at: string): Action {
  const { errorAction } = input
  const main = readSimpleAction(input, at)
  const error = errorAction && readSimpleAction(errorAction, `${at}/errorAction`)
  return { ...main, ...(error && { errorAction: error }) }
}

function readSimpleAction(input: SimpleActionInput, at: string): SimpleAction {
  const policy = input.retryPolicy && readRetryPolicy(input.retryPolicy, `${at}/retryPolicy`)
  return { ...readByType(input, at), ...(policy && { retryPolicy: policy }) }
}

function readByType(input: SimpleActionInput, at: string): SimpleAction {
  const { request, queueMessage, serviceBusQueueMessage: queueBus, serviceBusTopicMessage: topicBus } = input
  const type = input.type === undefined ? required(`${at}/type`) : canonical(actionTypes, input.type)
  switch (type) {
    case 'Http':
    case 'Https':
      return { type, request: readRequest(request ?? required(`${at}/request`), type, `${at}/request`) }
    case 'StorageQueue':
      return {
        type,
        queueMessage: readQueueMessage(queueMessage ?? required(`${at}/queueMessage`), `${at}/queueMessage`),
      }
    case 'ServiceBusQueue': {
      const messageAt = `${at}/serviceBusQueueMessage`
      const message = readBusMessage(queueBus ?? required(messageAt), 'queueName', messageAt)
      return { type, serviceBusQueueMessage: message }
    }
    case 'ServiceBusTopic': {
      const messageAt = `${at}/serviceBusTopicMessage`
      return { type, serviceBusTopicMessage: readBusMessage(topicBus ?? required(messageAt), 'topicPath', messageAt) }
    }
  }
}

function required(at: string): never {
  invalid([{ at, message: 'is required' }])
}
