export interface Exchanged {
  status: number;
  headers: Record<string, string>;
  node: string | undefined;
  messages: object[];
  last: string | undefined;
  isWhole: boolean;
}

export interface ExchangeSettings {
  method?: string;
  headers?: Record<string, string>;
  message?: object;
  take?: (message: object, state: Exchanged, stop: () => void) => void;
  begun?: () => void;
  signal?: AbortSignal;
  isAlone?: boolean;
}

export function exchange(url: URL, settings: ExchangeSettings): Promise<Exchanged>;
