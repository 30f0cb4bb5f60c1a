import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const SERVICE = 'urn:schemas-upnp-org:service:WANIPConnection:2';
const DESCRIPTION = `<?xml version="1.0"?>
<root xmlns="urn:schemas-upnp-org:device-1-0"><device>
  <deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:2</deviceType><UDN>uuid:router</UDN>
  <deviceList><device><serviceList><service>
    <serviceType>${SERVICE}</serviceType><SCPDURL>/service</SCPDURL><controlURL>/control</controlURL>
  </service></serviceList></device></deviceList>
</device></root>`;

const soap = (body: string) =>
  `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`;
const fault = `<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring>
  <detail><UPnPError><errorCode>606</errorCode>
  <errorDescription>Action not authorized</errorDescription></UPnPError></detail></s:Fault>`;

/** A UPnP router (Internet Gateway Device 2) that can forward a port. */
export class TestRouter implements AsyncDisposable {
  /** Requested ports, by the argument's name. */
  readonly requests: Record<string, string>[] = [];
  readonly #server: Server;

  private constructor(external: { ip: string; port: number } | undefined) {
    this.#server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const text = Buffer.concat(parts).toString();
      const action = /#(\w+)"/.exec(String(request.headers['soapaction']))?.[1];
      response.setHeader('content-type', 'text/xml');
      if (action === undefined) return response.end(DESCRIPTION);
      if (action === 'AddAnyPortMapping')
        this.requests.push(
          Object.fromEntries([...text.matchAll(/<New(\w+)>([^<]*)</g)].map(([, name, is]) => [name, is])),
        );
      const result =
        action === 'GetExternalIPAddress'
          ? `<NewExternalIPAddress>${external?.ip}</NewExternalIPAddress>`
          : `<NewReservedPort>${external?.port}</NewReservedPort>`;
      response.statusCode = external ? 200 : 500;
      return response.end(
        soap(external ? `<u:${action}Response xmlns:u="${SERVICE}">${result}</u:${action}Response>` : fault),
      );
    });
  }

  /** `external`: its external address; absent: it forwards nothing. */
  static async start(external?: { ip: string; port: number }): Promise<TestRouter> {
    const router = new TestRouter(external);
    await new Promise<void>((resolve) => router.#server.listen(0, '127.0.0.1', resolve));
    return router;
  }

  /** URL of its description. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/description.xml`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
