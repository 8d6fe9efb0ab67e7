import { run } from '../../../program.mjs';

export const runtime = 'edge';

export async function GET(request) {
  return Response.json(await run(new URL(request.url).searchParams.get('base')));
}
