//! Who may talk to a cluster: TLS with certificates on both sides.
//!
//! Every process shows a certificate that the cluster's own authority has signed, and accepts no other. The environment
//! names the folder, `CQLDEX_CLUSTER_TLS`, with the files `ca.crt`, `node.crt` and `node.key`. Without it there is no TLS,
//! and then nothing but loopback is listened on unless told otherwise.

use std::env;
use std::fmt;
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use ballista_core::extension::{BallistaConfigGrpcEndpoint, EndpointOverrideFn};
use std::sync::Arc;
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity, ServerTlsConfig};

use crate::error::{Error, Result};

/// The variable of the environment that names the folder with the certificates.
pub const VARIABLE: &str = "CQLDEX_CLUSTER_TLS";

/// How the processes of a cluster know each other.
#[derive(Clone, Default)]
pub struct Security {
    tls: Option<Arc<Tls>>,
}

struct Tls {
    client: ClientTlsConfig,
    server: ServerTlsConfig,
}

/// Keys are never printed.
impl fmt::Debug for Security {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Security").field("tls", &self.tls.is_some()).finish()
    }
}

impl Security {
    /// As the environment says.
    ///
    /// # Errors
    ///
    /// When it names a folder that lacks a file.
    pub fn of_environment() -> Result<Security> {
        match env::var_os(VARIABLE).map(PathBuf::from) {
            Some(folder) => Security::of_folder(&folder),
            None => Ok(Security::default()),
        }
    }

    /// With the certificates in a folder.
    ///
    /// # Errors
    ///
    /// When it lacks a file.
    pub fn of_folder(folder: &Path) -> Result<Security> {
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).map_err(Error::file(path))
        };
        let authority = Certificate::from_pem(read("ca.crt")?);
        let identity = Identity::from_pem(read("node.crt")?, read("node.key")?);
        Ok(Security {
            tls: Some(Arc::new(Tls {
                client: ClientTlsConfig::new()
                    .ca_certificate(authority.clone())
                    .identity(identity.clone()),
                server: ServerTlsConfig::new().client_ca_root(authority).identity(identity),
            })),
        })
    }

    /// Whether there is TLS.
    pub(crate) fn uses_tls(&self) -> bool {
        self.tls.is_some()
    }

    /// How a server shows who it is, and whom it accepts.
    pub(crate) fn server(&self) -> Option<ServerTlsConfig> {
        self.tls.as_ref().map(|tls| tls.server.clone())
    }

    /// The way to a server at `host:port`.
    pub(crate) fn endpoint(&self, address: &str) -> Result<Endpoint, tonic::transport::Error> {
        match &self.tls {
            Some(tls) => Endpoint::from_shared(format!("https://{address}"))?.tls_config(tls.client.clone()),
            None => Endpoint::from_shared(format!("http://{address}")),
        }
    }

    /// What makes the engine's own ways to servers safe.
    pub(crate) fn endpoints(&self) -> Option<EndpointOverrideFn> {
        let tls = self.tls.clone()?;
        Some(Arc::new(move |endpoint: Endpoint| {
            let authority = endpoint.uri().authority().map(ToString::to_string);
            let address = format!("https://{}", authority.unwrap_or_default());
            Ok(Endpoint::from_shared(address)?.tls_config(tls.client.clone())?)
        }))
    }

    /// The same as the engine's client wants it.
    pub(crate) fn customized(&self) -> Option<BallistaConfigGrpcEndpoint> {
        self.endpoints().map(BallistaConfigGrpcEndpoint::new)
    }

    /// Refuses to listen for others without TLS, unless that is wanted.
    pub(crate) fn check_listening(&self, host: &str, is_wanted: bool) -> Result<()> {
        let is_loopback = host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        if is_loopback || self.uses_tls() || is_wanted {
            return Ok(());
        }
        Err(Error::Unsupported(format!(
            "{host} can be reached from other machines, and there is no TLS: name a folder with certificates in {VARIABLE}, \
             or add --insecure where only friends can reach it"
        )))
    }
}
