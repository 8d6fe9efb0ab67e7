/** The companies, locations and integrators of a demo service. Without one, ids are typed. */
import type { TaxRate } from 'sales-order-intake/slim';
import type { Draft } from './draft';

export interface Directory {
  /** The path before those of the operations. */
  basePath: string;
  companies: {
    companyId: number;
    name: string;
    locations: { entityId: number; name: string; taxPricing: 'Exclusive' | 'Inclusive' | null; taxRates: TaxRate[] }[];
  }[];
  integrators: { integratorId: string; name: string }[];
}

/** Returns null if the server of this page is not a demo service. */
export async function readDirectory(signal: AbortSignal): Promise<Directory | null> {
  try {
    const response = await fetch(new URL('demo.json', document.baseURI), { signal });
    const directory = (await response.json()) as Partial<Directory> | null;
    return Array.isArray(directory?.companies) && Array.isArray(directory.integrators)
      ? (directory as Directory)
      : null;
  } catch {
    return null;
  }
}

export function locationOf(
  directory: Directory | null,
  { CompanyId, EntityId }: Pick<Draft, 'CompanyId' | 'EntityId'>,
) {
  const company = directory?.companies.find(({ companyId }) => String(companyId) === CompanyId);
  const location = company?.locations.find(({ entityId }) => String(entityId) === EntityId);
  return location && company && { ...location, companyId: company.companyId, company: company.name };
}
