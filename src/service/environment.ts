import { parseRateLimit } from './clients/rate-limit-setting.ts';
import type { ServiceSettings } from './settings.ts';
import { parseWebhookUrl, type WebhookReceiver } from './webhook/receiver.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings that environment variables make, and a sentence about each invalid one. */
interface EnvironmentRead {
  readonly settings: Pick<ServiceSettings, 'rateLimit' | 'region' | 'webhook'>;
  readonly warnings: readonly string[];
}

/** Reads the environment of a service (svc-serve(1), ENVIRONMENT). An invalid value counts as not set. */
export function readEnvironment(env: Environment): EnvironmentRead {
  const { EDGE_REGION: region = '' } = env;
  const { limit: rateLimit, origin } = parseRateLimit(env.SERVICE_RATE_LIMIT);
  const webhook = readWebhook(env);
  return {
    settings: {
      rateLimit,
      region: region === '' ? undefined : region,
      webhook: webhook === 'invalid' ? undefined : webhook,
    },
    warnings: [
      ...(origin === 'invalid' ? ['SERVICE_RATE_LIMIT is not N/duration: using the default'] : []),
      ...(webhook === 'invalid' ? ['SERVICE_WEBHOOK_URL is not an http or https URL: webhooks are off'] : []),
    ],
  };
}

function readWebhook(env: Environment): WebhookReceiver | 'invalid' | undefined {
  const { SERVICE_WEBHOOK_URL: address = '', SERVICE_WEBHOOK_SECRET: secret = '' } = env;
  if (address === '') return undefined;
  const url = parseWebhookUrl(address);
  if (url === undefined) return 'invalid';
  return secret === '' ? { url } : { url, secret };
}
